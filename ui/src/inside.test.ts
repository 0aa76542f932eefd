import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const ui = resolve(import.meta.dirname, "..");

test("the licences and components of the app are those of its bundle and its font", () => {
  const folder = mkdtempSync(join(tmpdir(), "papamu-inside-"));
  execFileSync(process.execPath, [join(ui, "inside.js"), folder, "1.2.3"]);
  const list = JSON.parse(readFileSync(join(folder, "papamu-app.cdx.json"), "utf8"));
  const licences = readFileSync(join(folder, "licences-app.md"), "utf8");
  rmSync(folder, { recursive: true });

  const names: string[] = list.components.map(({ name }: { name: string }) => name);
  expect(list.metadata.component.version).toBe("1.2.3");
  expect(names).toEqual(expect.arrayContaining(["svelte", "uplot", "Figtree"]));
  // What only builds or tests the app is not in it.
  expect(names).not.toContain("vite");
  for (const name of names) expect(licences).toMatch(new RegExp(`^## ${name} .*\\(.+\\)\n\n.{20}`, "ms"));
  const fonts = readdirSync(join(ui, "src/fonts"));
  expect(fonts.filter((font) => !font.startsWith("figtree"))).toEqual([]);
});
