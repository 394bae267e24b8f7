// Receives the worker's replies. While a client sends one request after another, the main thread watches shared memory for a short
// time instead of sleeping. Waking a sleeping thread takes longer than a read by key (measured: one client reads 3 to 20 % more rows a
// second). Under many clients the thread has other work meanwhile, so it does not watch.
import { availableParallelism } from 'node:os'
import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { REPLIES, type WorkerReply } from '../worker-protocol.ts'

/** Wall-clock milliseconds that the main thread watches for a reply. A read by key takes about 0.1 ms. */
const WATCH_MILLIS = 0.2
/** The number of jobs in a row without a second job beside them, before the main thread watches. */
const LONE_JOBS = 5
/** With one processor, watching would keep the worker from working. */
const MAY_WATCH = availableParallelism() > 1

export class ReplyPort {
  /** The worker's end, which must be transferred. */
  readonly remote: MessagePort
  readonly #port: MessagePort
  readonly #control: Int32Array
  readonly #take: (reply: WorkerReply) => void
  #openJobs = 0
  #loneJobs = 0
  #isClosed = false

  /** @param control see `WorkerOptions.control` */
  constructor(control: Int32Array, take: (reply: WorkerReply) => void) {
    const { port1, port2 } = new MessageChannel()
    this.remote = port2
    this.#port = port1
    this.#control = control
    this.#take = take
    port1.on('message', (reply: WorkerReply) => this.#receive(reply))
  }

  /** Call this function before a job is posted. */
  expectReply(): void {
    this.#openJobs++
    this.#loneJobs = this.#openJobs === 1 ? this.#loneJobs + 1 : 0
    if (!MAY_WATCH || this.#loneJobs < LONE_JOBS) return
    const seen = Atomics.load(this.#control, REPLIES)
    // By then the main thread has done everything else that was due.
    setImmediate(() => this.#watch(seen))
  }

  /** Takes the replies that have arrived and not been taken. */
  takeArrived(): void {
    while (!this.#isClosed) {
      const received = receiveMessageOnPort(this.#port)
      if (received === undefined) return
      this.#receive(received.message)
    }
  }

  close(): void {
    this.#isClosed = true
    this.#port.close()
  }

  #watch(seen: number): void {
    if (this.#openJobs !== 1 || this.#isClosed) return
    const until = performance.now() + WATCH_MILLIS
    while (Atomics.load(this.#control, REPLIES) === seen) if (performance.now() > until) return
    this.takeArrived()
  }

  #receive(reply: WorkerReply): void {
    if (reply.kind === 'done' || reply.kind === 'refused') this.#openJobs--
    this.#take(reply)
  }
}
