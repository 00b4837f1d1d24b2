/**
 * The first window of `npm start`, or one under the debugger, which uses its developer's own settings: they must
 * not be touched, so a command opens the practice account.
 */
const { commands } = require('vscode');

exports.activate = () => commands.executeCommand('marginDesk.tryPractice');
