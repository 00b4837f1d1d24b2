import assert from 'node:assert/strict';
import { endedProgram, programOf } from '../../../../src/host/bots/programOf.ts';

describe('the program of a command line', () => {
  const programs: Readonly<Record<string, string>> = {
    'python bot.py --key SECRET': 'bot.py',
    '.venv/bin/python3.12 -u ./bots/bot.py': 'bot.py',
    '"C:\\Program Files\\Python\\python.exe" "my bot.py"': 'my bot.py',
    'python -m grid.bot': 'grid.bot',
    'freqtrade trade --config config.json': 'freqtrade',
    'API_KEY=SECRET node dist/index.js': 'index.js',
    'cd bots && uv run bot.py 2>&1 | tee bot.log': 'bot.py',
    'nohup ./run.sh &': 'run.sh',
    'cd bots&&python bot.py&': 'bot.py',
    'conda run -n env python bot.py': 'bot.py',
    "python bot.py --key=it's_SECRET": 'bot.py',
    "python bot.py --key o'SECRET x": 'bot.py',
    'git pull; npx bot;': 'bot',
    'python --key SECRET bot.py': 'bot.py',
    'uv run --token SECRET bot': 'bot',
    'python -c "run(1); trade(SECRET)"': 'python',
    "node -e 'trade(SECRET)' SECRET": 'node',
    'sudo --password SECRET': 'sudo',
    python: 'python',
    '': '',
  };
  for (const [commandLine, program] of Object.entries(programs))
    it(`is “${program}” of “${commandLine}”`, () => assert.equal(programOf(commandLine), program));
});

describe('the program that ended', () => {
  it('is the bot if it is so by the command line at its start or at its end', () => {
    assert.equal(endedProgram('bot.py', 'bot.py', undefined), 'bot.py');
    assert.equal(endedProgram('bot.py', 'corrected', 'bot.py'), 'bot.py');
    assert.equal(endedProgram('bot.py', 'other.py', 'other.py'), undefined);
    assert.equal(endedProgram(null, 'bot.py', undefined), 'bot.py');
  });
});
