// Adds the time inside Postgres to a request's stopwatch. The rest of the stage `transaction` is time in the queue and time for
// messages to and from the engine's thread.
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
