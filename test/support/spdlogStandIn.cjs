/**
 * Takes the place of `@vscode/spdlog` in the served VS Code, whose native half is not built: without
 * it the Output panel and the log files stay empty, and a test that looks for secrets there proves nothing.
 */
const { appendFileSync, mkdirSync } = require('node:fs');
const { dirname } = require('node:path');

const levels = ['trace', 'debug', 'info', 'warning', 'error', 'critical'];
const methods = ['trace', 'debug', 'info', 'warn', 'error', 'critical'];

class Logger {
  constructor(_type, _name, file) {
    Object.assign(this, { file, level: levels.indexOf('info'), raw: false });
  }

  write(level, message) {
    if (level < this.level) return;
    const time = new Date().toISOString().replace('T', ' ').slice(0, 23);
    appendFileSync(this.file, this.raw ? message : `${time} [${levels[level]}] ${message}\n`);
  }

  getLevel() {
    return this.level;
  }

  setLevel(level) {
    this.level = level;
  }

  clearFormatters() {
    this.raw = true;
  }

  setPattern() {}
  flush() {}
  drop() {}
}

methods.forEach((method, level) => {
  Logger.prototype[method] = function (message) {
    this.write(level, message);
  };
});

async function createLogger(_name, file) {
  mkdirSync(dirname(file), { recursive: true });
  return new Logger('', '', file);
}

// One assignment each: the ESM import that reads this file sees only names assigned so.
exports.version = 0;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.Logger = Logger;
exports.createRotatingLogger = createLogger;
exports.createAsyncRotatingLogger = createLogger;
