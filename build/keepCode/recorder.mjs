// Loaded before the command line while it is built: writes at the end what was compiled, where the program looks for it.
import { existsSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import vm from 'node:vm';

const kept = new Map();

vm.Script = class extends vm.Script {
  constructor(source, options) {
    super(source, options);
    const { filename } = options ?? {};
    if (typeof filename === 'string' && filename.endsWith('.cjs')) kept.set(filename, this);
  }
};
syncBuiltinESMExports();

process.on('exit', () => {
  for (const [file, script] of kept) {
    const code = `${file}.${process.version}-${process.arch}.code`;
    if (existsSync(code)) writeFileSync(code, script.createCachedData());
  }
});
