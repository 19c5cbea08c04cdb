// Bundles the extension (for the extension host) and the page of its view (for the web view). With --production without
// source maps, with --tests the unit tests instead, one file each.
import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";

const production = process.argv.includes("--production");
const shared = { bundle: true, minify: production, sourcemap: production ? false : "linked", logLevel: "warning" };

if (process.argv.includes("--tests")) {
  await rm("dist/tests", { recursive: true, force: true });
  const files = await readdir("src", { recursive: true });
  const entryPoints = files.filter((file) => file.endsWith(".test.ts")).map((file) => path.join("src", file));
  if (entryPoints.length === 0) throw new Error("there are no unit tests");
  const outExtension = { ".js": ".mjs" };
  await build({ ...shared, entryPoints, outdir: "dist/tests", outExtension, platform: "node", format: "esm" });
} else {
  await rm("dist/extension.js.map", { force: true });
  await rm("dist/page.js.map", { force: true });
  await build({
    ...shared,
    entryPoints: ["src/extension.ts"],
    outfile: "dist/extension.js",
    platform: "node",
    target: "node20",
    format: "cjs",
    external: ["vscode"],
  });
  await build({
    ...shared,
    entryPoints: ["src/page/page.ts"],
    outfile: "dist/page.js",
    platform: "browser",
    target: "es2022",
    format: "iife",
  });
}
