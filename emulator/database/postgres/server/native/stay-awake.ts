// Keeps the process running while it only waits for a clock, whose timers alone would let it end.
import { MessageChannel } from 'node:worker_threads'

export async function stayAwake<Result>(work: () => Promise<Result>): Promise<Result> {
  const { port1, port2 } = new MessageChannel()
  port1.ref()
  try {
    return await work()
  } finally {
    port1.close()
    port2.close()
  }
}
