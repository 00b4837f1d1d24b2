/**
 * A window under the debugger uses its developer's own settings, which must not be touched: the
 * practice exchange is opened by its command instead.
 */
const { commands } = require('vscode');

exports.activate = () => commands.executeCommand('marginDesk.tryPractice');
