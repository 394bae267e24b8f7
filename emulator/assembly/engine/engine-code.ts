// The functions of the engine's host that the command line uses: it looks up and writes the engine's machine code, and collects
// garbage.
import { removeOldCode } from '../../database/embedded/code-cache.ts'
import { keepCompiledEngine } from '../../database/embedded/engine-code.ts'
import { keptEngineModule } from '../../database/embedded/host/engine-thread.ts'

export { cachedCodePath, isCodeWanted } from '../../database/embedded/code-cache.ts'
export { collectDeadMemory } from '../../database/embedded/host/dead-memory.ts'
export { lacksEngineCode } from '../../database/embedded/host/engine-thread.ts'

/** Writes the code that V8 has optimised in this process. V8 aborts the process when it has not optimised any function. */
export async function writeEngineCode(path: string): Promise<void> {
  const module = keptEngineModule()
  if (module === undefined) throw new Error('no engine was opened')
  await keepCompiledEngine(path, module)
  removeOldCode(path)
}
