// What the web app is built from, beside this project: the licences, and a list of components (SBOM, CycloneDX), both in a
// folder: node inside.js FOLDER VERSION.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";

const [folder, version] = process.argv.slice(2);
const root = import.meta.dirname;
const bundle = await build({ root, logLevel: "warn", build: { write: false, license: { fileName: "licences.json" } } });
const packages = JSON.parse(bundle.output.find(({ fileName }) => fileName === "licences.json").source);
if (packages.length === 0) throw new Error("the bundle names no packages");

// The font is a file of the app, and no package.
const font = { name: "Figtree", identifier: "OFL-1.1", text: readFileSync(join(root, "public/figtree-OFL.txt"), "utf8") };
const licences = [...packages, font].map(
  ({ name, version, identifier, text }) => `## ${name}${version ? ` ${version}` : ""} (${identifier})\n\n${text.trim()}\n`,
);
writeFileSync(join(folder, "licences-app.md"), `# Licences of what is inside the web app\n\n${licences.join("\n")}`);

const components = packages.map(({ name, version, identifier }) => ({
  type: "library",
  name,
  version,
  purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
  licenses: [{ expression: identifier }],
}));
components.push({ type: "data", name: font.name, licenses: [{ expression: font.identifier }] });
const metadata = { component: { type: "application", name: "papamu-app", version } };
const list = { bomFormat: "CycloneDX", specVersion: "1.5", version: 1, metadata, components };
writeFileSync(join(folder, "papamu-app.cdx.json"), `${JSON.stringify(list, null, 2)}\n`);
