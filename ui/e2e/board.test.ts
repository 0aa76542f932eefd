// What somebody draws on a board.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { page, server, visit } from "./app";
import { accessible, cell } from "./papamu";
import { expectMoves, saved } from "./play";

const tab = (name: string) => page.getByRole("tab", { name, exact: true }).click();

test("drawing: marks and arrows by tool, keyboard and right button stay with the move, in the address and in the file", async () => {
  await visit("analyse?game=havannah&size=4&moves=d4.e5");
  await tab("Moves");
  await page.getByRole("radio", { name: "Triangle" }).check();
  await cell(page, "c3").click();
  await page.getByRole("radio", { name: "Letter" }).check();
  await cell(page, "d4").focus();
  await page.keyboard.press("Enter");
  await page.getByRole("radio", { name: "Arrow" }).check();
  await cell(page, "a1").click();
  await cell(page, "b2").click();
  const box = async (name: string) => (await cell(page, name).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const [from, to] = [await box("e5"), await box("g7")];
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down({ button: "right" });
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 4 });
  await page.mouse.up({ button: "right" });
  await page.mouse.click(from.x + from.width / 2, from.y + from.height / 2, { button: "right" });
  const said = (name: string) => cell(page, name).getAttribute("aria-label");
  const everything = async () => {
    await expect.poll(() => said("c3")).toContain("triangle");
    expect(await said("d4")).toContain("label A");
    expect(await said("a1")).toContain("arrow to b2");
    expect(await said("e5")).toContain("circle");
    expect(await said("e5")).toContain("arrow to g7");
  };
  await everything();
  // They are drawn, not played.
  await expectMoves(page, "d4", "e5");
  await accessible(page);
  await page.getByLabel("One move back").click();
  await expect.poll(() => said("c3")).not.toContain("triangle");
  await page.getByLabel("One move on").click();
  await page.reload();
  await everything();
  await tab("Share");
  const path = await saved(page, "SGF", join(server.folder, "drawn.sgf"));
  const file = readFileSync(path, "utf8");
  for (const drawn of ["TR[c3]", "LB[d4:A]", "AR[a1:b2][e5:g7]", "CR[e5]"]) expect(file.split("B[e5]")[1]).toContain(drawn);
  await tab("Moves");
  await page.getByLabel("Clear what is drawn").click();
  await expect.poll(() => said("c3")).not.toContain("triangle");
});
