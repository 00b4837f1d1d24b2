const { commands, window } = require('vscode');

exports.activate = (context) => {
  const greet = () => window.showInformationMessage('Hello World');
  context.subscriptions.push(commands.registerCommand('helloWorld.greet', greet));
};
