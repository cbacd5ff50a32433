"use strict";
// Starts `xgen lsp` for the files that it knows. `make vsix` bundles this with vscode-languageclient, which npm fetches.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");
let client = null;

exports.activate = () => {
  const command = workspace.getConfiguration("xgen").get("command", "xgen");
  const documentSelector = ["xcfa", "litmus", "mcm", "cat", "c", "cpp", "rust"].map((language) => ({ scheme: "file", language }));
  client = new LanguageClient("xgen", "xgen", { command, args: ["lsp"] }, { documentSelector });
  return client.start();
};

exports.deactivate = () => client?.stop();
