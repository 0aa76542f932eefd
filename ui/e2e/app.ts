// What a file of tests begins with: the real program, a browser, and the page that a test visits, which must do nothing wrong.

import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { Server, browser, faults, open } from "./papamu";

export const server = new Server();
export let chromium: Browser;
/** What the test has to itself: its storage and its page. */
export let context: BrowserContext;
export let page: Page;
let wrong: string[] = [];

beforeAll(async () => {
  await server.start();
  chromium = await browser();
});
afterAll(async () => {
  await chromium?.close();
  await server.remove();
});
afterEach(async () => {
  await context?.close();
  expect(wrong.splice(0)).toEqual([]);
});

/** Opens a page of the app in a browser that knows nothing yet. */
export async function visit(path = "play", options: BrowserContextOptions = {}): Promise<Page> {
  await context?.close();
  context = await chromium.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  page = await open(context, server, path, (begun) => (wrong = faults(begun)));
  return page;
}
