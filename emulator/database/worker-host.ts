// The database worker as a thing that can be started, asked, cancelled and stopped. One worker at a time.
import { rmSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { IdSource } from '../core/id-source.ts'
import type { Observer } from '../core/observation.ts'
import { IS_BUNDLED, packageFile } from '../core/package-files.ts'
import type { PlatformTime } from '../core/platform-clock.ts'
import { compileEngine } from './compile-engine.ts'
import { SqlError } from './engine.ts'
import {
  CANCELLABLE_JOB,
  type CancelAddresses,
  CONTROL_BYTES,
  COPY_INPUTS,
  type CopyInput,
  CURRENT_JOB,
  type DoneReply,
  type PartialReply,
  type ReadyReply,
  type RefusedReply,
  type WorkerOptions,
  type WorkerReply,
  type WorkerRequest,
} from './pglite-worker/worker-protocol.ts'

export interface WorkerHostOptions {
  readonly dataDir: string | undefined
  readonly isPassing?: boolean
  readonly clusterImage: string
  readonly ids: IdSource
  readonly observe: Observer
  readonly time?: PlatformTime
  readonly seed?: string
  /** Folder for the files of the baseline (engine-states.ts). */
  readonly baselineFolder?: string
}

/** Told about what comes from the worker once it is ready. */
export interface WorkerListener {
  onReply(reply: DoneReply | RefusedReply): void
  /** A piece of the answer of the job that runs. */
  onPartial?(reply: PartialReply): void
  /** Advisory locks that jobs waited for are theirs. */
  onGranted?(tickets: readonly number[]): void
  /** The worker is gone; `start` brings another. */
  onDeath(reason: string): void
}

const WORKER_FILE = IS_BUNDLED
  ? packageFile('dist/worker.mjs')
  : packageFile('emulator/database/pglite-worker/worker.ts')
// Deep recursion inside Postgres overflows V8's usual stack and leaves the session silently dead (measured). Reading JSON
// of a million levels takes most of this; what is not used is never made resident.
const STACK_MEGABYTES = 256
const STALE_FILE = 'postmaster.pid'

export class WorkerHost {
  readonly #options: WorkerHostOptions
  readonly #control = new Int32Array(new SharedArrayBuffer(CONTROL_BYTES))
  #listener: WorkerListener | undefined
  #worker: Worker | undefined
  #cancel: CancelAddresses | undefined
  #time: PlatformTime
  #starts = 0
  #hasBegun = false
  #degraded: readonly string[] = []

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

  get observe(): Observer {
    return this.#options.observe
  }

  listen(listener: WorkerListener): void {
    this.#listener = listener
  }

  /** Starts a worker and waits until it has proved itself. @throws {SqlError} 57P02 with the reason */
  async start(): Promise<void> {
    try {
      await this.#startOnce()
    } catch (error) {
      const { dataDir } = this.#options
      if (dataDir === undefined) throw error
      // Left by a killed process; the directory lock says that nobody else is using the files.
      rmSync(join(dataDir, STALE_FILE), { force: true })
      await this.#startOnce()
    }
  }

  post(request: WorkerRequest): void {
    if (request.kind === 'setTime') this.#time = request.time
    this.#worker?.postMessage(request)
  }

  /** Hands COPY data to the turn that waits for it. */
  feed(messages: Uint8Array): void {
    const input: CopyInput = { kind: 'copyInput', messages }
    this.#worker?.postMessage(input)
    Atomics.add(this.#control, COPY_INPUTS, 1)
    Atomics.notify(this.#control, COPY_INPUTS)
  }

  /** Whether the worker has begun the job. */
  hasBegun(id: number): boolean {
    return Atomics.load(this.#control, CURRENT_JOB) >= id
  }

  /** Cancels the job when its statements run at this moment. The engine may not hear it: ask again. */
  cancel(id: number): boolean {
    const addresses = this.#cancel
    if (addresses === undefined || Atomics.load(this.#control, CANCELLABLE_JOB) !== id) return false
    const words = new Int32Array(addresses.memory)
    Atomics.store(words, addresses.queryCancelPending >> 2, 1)
    Atomics.store(words, addresses.interruptPending >> 2, 1)
    return true
  }

  /** Ends the worker at once, whatever it does; nothing is reported. */
  async terminate(): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    this.#cancel = undefined
    worker?.removeAllListeners()
    await worker?.terminate()
  }

  #startOnce(): Promise<void> {
    const { dataDir, isPassing = false, clusterImage, ids, seed, baselineFolder } = this.#options
    const workerData: WorkerOptions = {
      dataDir,
      isPassing,
      imagePath: clusterImage,
      time: this.#time,
      baseline:
        baselineFolder === undefined
          ? undefined
          : { folder: baselineFolder, isResumed: this.#hasBegun },
      // Another start goes on with other numbers, or the same ids would be made again.
      seed: seed === undefined ? undefined : `${seed}:${this.#starts}`,
      secret: `t${Buffer.from(ids.bytes(12)).toString('hex')}_`,
      compileCacheDir: getCompileCacheDir(),
      control: this.#control.buffer as SharedArrayBuffer,
    }
    this.#starts++
    const worker = new Worker(WORKER_FILE, {
      workerData,
      resourceLimits: { stackSizeMb: STACK_MEGABYTES },
    })
    this.#worker = worker
    return new Promise<void>((resolve, reject) => {
      const onDeath = (reason: string) => {
        if (this.#worker !== worker) return
        this.#worker = undefined
        this.#cancel = undefined
        worker.removeAllListeners()
        worker.on('error', () => {})
        void worker.terminate()
        if (isReady) this.#listener?.onDeath(reason)
        else reject(new SqlError('57P02', `the database engine does not start: ${reason}`))
      }
      let isReady = false
      worker.on('message', (reply: WorkerReply) => {
        if (reply.kind === 'ready') {
          isReady = true
          this.#onReady(reply)
          resolve()
        } else if (reply.kind === 'died') onDeath(reply.reason)
        else if (reply.kind === 'partial') this.#listener?.onPartial?.(reply)
        else if (reply.kind === 'granted') this.#listener?.onGranted?.(reply.tickets)
        else this.#listener?.onReply(reply)
      })
      worker.on('error', (error) => onDeath(error instanceof Error ? error.message : String(error)))
      compileEngine().then(
        (engineModule) => worker.postMessage(engineModule),
        (error: unknown) => onDeath(String(error)),
      )
      worker.on('exit', (code) => onDeath(`its thread ended with code ${code}`))
    })
  }

  #onReady(reply: ReadyReply): void {
    this.#hasBegun = true
    this.#cancel = reply.cancel
    this.#degraded = reply.degraded.map(({ capability }) => capability)
    for (const { capability, consequence } of reply.degraded)
      this.#options.observe({ kind: 'engineDegraded', capability, consequence })
  }
}
