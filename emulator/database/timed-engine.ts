// Adds the time inside Postgres to a request's stopwatch. The rest of the stage `transaction` is the way to the engine's thread
// and back, and the queue.
import type { Stopwatch } from '../core/stopwatch.ts'
import { delegate, type Engine } from './engine.ts'

export function timedEngine(engine: Engine, { add }: Pick<Stopwatch, 'add'>): Engine {
  return {
    ...delegate(engine),
    connect: (login) => engine.connect(login),
    run: async (work) => {
      const result = await engine.run(work)
      add('engine', result.durationMillis)
      return result
    },
  }
}
