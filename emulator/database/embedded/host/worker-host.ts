// Starts, cancels, stops and replaces the database worker. The host runs only one worker at a time. The engine's queue calls
// this module.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import type { Clock } from '../../../core/clock.ts'
import type { IdSource } from '../../../core/id-source.ts'
import type { Observer } from '../../../core/observation.ts'
import type { PlatformTime } from '../../../core/platform-clock.ts'
import { SqlError } from '../../engine.ts'
import {
  CANCELLABLE_JOB,
  type CancelAddresses,
  CONTROL_BYTES,
  type CopyInput,
  CURRENT_JOB,
  MESSAGES,
  postedWord,
  type ReadyReply,
  STATEMENT_SEQUENCE,
  type WorkerOptions,
  type WorkerRequest,
} from '../worker-protocol.ts'
import { collectDeadMemory } from './dead-memory.ts'
import { keepEngineModule, takeEngineThread } from './engine-thread.ts'
import type { EngineWorker, WorkerListener } from './engine-worker.ts'
import { ReplyPort } from './reply-port.ts'

export interface WorkerHostOptions {
  /** Folder of the database, created when missing; `undefined` keeps everything in memory. */
  readonly dataDir: string | undefined
  /**
   * True when the folder is removed at the end of the process. Postgres then does not protect its files against a power cut.
   */
  readonly isTemporary?: boolean
  /** Measures deadlines. Pass the wall clock here: the platform's clock may be frozen or moved. */
  readonly wallClock: Clock
  readonly ids: IdSource
  readonly observe: Observer
  /** Path of the cluster image, from `ensureClusterImage()`. */
  readonly clusterImage: string
  /** Path of the prepared image for a new data folder, from `findPreparedImage()`. */
  readonly preparedImage?: string | undefined
  /** Platform time for SQL's `now()` from the start. When absent, `now()` uses the wall clock. */
  readonly time?: PlatformTime
  /** The seed that makes randomness inside SQL repeatable. */
  readonly seed?: string
  /** Limit of the engine's memory; `DEFAULT_MEMORY_BYTES` when absent. */
  readonly memoryBytes?: number
  /** Folder for the files of the baseline. Without this folder the engine refuses to save and restore states. */
  readonly baselineFolder?: string
}

const STALE_FILE = 'postmaster.pid'
/** The default limit of the engine's memory; wasm allows 2 GB. The engine starts with 128 MB. */
const DEFAULT_MEMORY_BYTES = 768 << 20
// An idle engine above this share of its memory limit is replaced, because wasm memory never shrinks.
const RECYCLE_SHARE = 0.5
/** Wall-clock milliseconds until a new engine must be ready. Unpacking a cluster on a slow disk takes some seconds. */
const START_WITHIN_MILLIS = 60_000

export class WorkerHost implements EngineWorker {
  readonly #options: WorkerHostOptions
  readonly #control = new Int32Array(new SharedArrayBuffer(CONTROL_BYTES))
  #listener: WorkerListener | undefined
  #worker: Worker | undefined
  #replies: ReplyPort | undefined
  #cancel: CancelAddresses | undefined
  #time: PlatformTime
  #starts = 0
  #hasBegun = false
  #degraded: readonly string[] = []
  /** Settles when the last worker has ended. */
  #gone: Promise<void> = Promise.resolve()
  /** The worker calls this function instead of the listener while it stops. */
  #onStopped: (() => void) | undefined

  constructor(options: WorkerHostOptions) {
    this.#options = options
    this.#time = options.time ?? { kind: 'offset', offsetMillis: 0 }
  }

  get isDurable(): boolean {
    return this.#options.dataDir !== undefined
  }

  get degraded(): readonly string[] {
    return this.#degraded
  }

  get mayCancel(): boolean {
    return this.#cancel !== undefined
  }

  get recycleAboveBytes(): number {
    return this.#memoryBytes * RECYCLE_SHARE
  }

  get #memoryBytes(): number {
    return this.#options.memoryBytes ?? DEFAULT_MEMORY_BYTES
  }

  get observe(): Observer {
    return this.#options.observe
  }

  listen(listener: WorkerListener): void {
    this.#listener = listener
  }

  async start(): Promise<void> {
    // Waits until the last worker has ended, because two engines would corrupt the directory.
    await this.#gone
    if (this.#starts > 0) await collectDeadMemory()
    try {
      await this.#startOnce()
    } catch (error) {
      await this.#gone
      const { dataDir } = this.#options
      if (dataDir === undefined) throw error
      // A killed process left this file behind. No live process can own the file, because this process holds the directory's
      // lock.
      rmSync(join(dataDir, STALE_FILE), { force: true })
      await this.#startOnce()
    }
  }

  post(request: WorkerRequest): void {
    if (request.kind === 'setTime') this.#time = request.time
    Atomics.store(this.#control, postedWord(request.id), request.id)
    this.#replies?.expectReply()
    this.#send(request)
  }

  withdraw(id: number): boolean {
    return Atomics.compareExchange(this.#control, postedWord(id), id, 0) === id
  }

  feed(messages: Uint8Array): void {
    this.#send({ kind: 'copyInput', messages })
  }

  #send(message: WorkerRequest | CopyInput): void {
    this.#worker?.postMessage(message)
    Atomics.add(this.#control, MESSAGES, 1)
    Atomics.notify(this.#control, MESSAGES)
  }

  hasBegun(id: number): boolean {
    return Atomics.load(this.#control, CURRENT_JOB) >= id
  }

  isAtStatement(id: number, sequence: number): boolean {
    const isAtJob = Atomics.load(this.#control, CURRENT_JOB) === id
    return isAtJob && Atomics.load(this.#control, STATEMENT_SEQUENCE) === sequence
  }

  cancel(id: number): boolean {
    const addresses = this.#cancel
    if (addresses === undefined || Atomics.load(this.#control, CANCELLABLE_JOB) !== id) return false
    const words = new Int32Array(addresses.memory)
    Atomics.store(words, addresses.queryCancelPending >> 2, 1)
    Atomics.store(words, addresses.interruptPending >> 2, 1)
    return true
  }

  async stop(id: number, withinMillis: number): Promise<void> {
    if (this.#worker === undefined) return
    await new Promise<void>((resolve) => {
      const stopWaiting = this.#options.wallClock.after(withinMillis, resolve)
      this.#onStopped = () => {
        stopWaiting()
        resolve()
      }
      this.post({ kind: 'close', id })
    })
    this.#onStopped = undefined
    await this.terminate()
  }

  async terminate(): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    this.#cancel = undefined
    this.#replies?.close()
    this.#replies = undefined
    if (worker !== undefined) this.#gone = end(worker)
    await this.#gone
  }

  #startOnce(): Promise<void> {
    const { dataDir, isTemporary = false, ids, seed, baselineFolder } = this.#options
    const options: Omit<WorkerOptions, 'replies'> = {
      dataDir,
      isTemporary,
      imagePath: this.#options.clusterImage,
      preparedPath: this.#options.preparedImage,
      time: this.#time,
      baseline:
        baselineFolder === undefined
          ? undefined
          : { folder: baselineFolder, isResumed: this.#hasBegun },
      // Each start uses its own seed. A restarted engine with the same seed would generate the same ids again.
      seed: seed === undefined ? undefined : `${seed}:${this.#starts}`,
      memoryBytes: this.#memoryBytes,
      secret: `t${Buffer.from(ids.bytes(12)).toString('hex')}_`,
      control: this.#control.buffer as SharedArrayBuffer,
    }
    this.#starts++
    const worker = takeEngineThread()
    this.#worker = worker
    return new Promise<void>((resolve, reject) => {
      const onDeath = (reason: string) => {
        if (this.#worker !== worker) return
        stopWaiting()
        void this.terminate()
        if (this.#onStopped !== undefined) this.#onStopped()
        else if (isReady) this.#listener?.onDeath(reason)
        else reject(new SqlError('57P02', `the database engine does not start: ${reason}`))
      }
      const stopWaiting = this.#options.wallClock.after(START_WITHIN_MILLIS, () =>
        onDeath(`it was not ready within ${START_WITHIN_MILLIS / 1_000} s`),
      )
      let isReady = false
      const replies = new ReplyPort(this.#control, (reply) => {
        if (reply.kind === 'ready') {
          isReady = true
          stopWaiting()
          this.#onReady(reply)
          resolve()
        } else if (reply.kind === 'died') onDeath(reply.reason)
        else if (this.#onStopped !== undefined) this.#onStopped()
        else if (reply.kind === 'partial') this.#listener?.onPartial(reply)
        else if (reply.kind === 'granted') this.#listener?.onGranted(reply.tickets)
        else if (reply.kind === 'statement') this.#listener?.onStatement(reply)
        else this.#listener?.onReply(reply)
      })
      this.#replies = replies
      worker.on('error', (error) => onDeath(error instanceof Error ? error.message : String(error)))
      const { remote } = replies
      worker.postMessage({ ...options, replies: remote } satisfies WorkerOptions, [remote])
      worker.on('exit', (code) => {
        // The last reply names the reason.
        replies.takeArrived()
        onDeath(`its thread ended with code ${code}`)
      })
    })
  }

  #onReady(reply: ReadyReply): void {
    this.#hasBegun = true
    this.#cancel = reply.cancel
    keepEngineModule(reply.engineModule, reply.isCompiledHere)
    this.#degraded = reply.degraded.map(({ capability }) => capability)
    for (const { capability, consequence } of reply.degraded)
      this.#options.observe({ kind: 'engineDegraded', capability, consequence })
  }
}

async function end(worker: Worker): Promise<void> {
  worker.removeAllListeners()
  worker.on('error', () => {})
  await worker.terminate()
}
