const { commands, window, ViewColumn } = require('vscode');

exports.activate = (context) => {
  const open = () => {
    const options = { enableScripts: true };
    const panel = window.createWebviewPanel('empty', 'Empty Panel', ViewColumn.Active, options);
    panel.webview.html = '<!DOCTYPE html><html><body><p>An empty panel</p></body></html>';
  };
  context.subscriptions.push(commands.registerCommand('emptyPanel.open', open));
};
