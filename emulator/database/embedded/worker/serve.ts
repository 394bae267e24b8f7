// The database worker: patches this thread, boots the engine, runs the self-test, then runs one job after another. All calls
// are synchronous once the engine is ready.
import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { PreparedStatements } from '../../wire-protocol/prepared-statements.ts'
import {
  CANCELLABLE_JOB,
  type CancelAddresses,
  type CloseRequest,
  CURRENT_JOB,
  type Degradation,
  postedWord,
  STATEMENT_SEQUENCE,
  type ThreadData,
  type WorkerOptions,
  type WorkerRequest,
} from '../worker-protocol.ts'
import { BackendDied, describeThrown, type Streaming } from './backend/backend.ts'
import { RoutineTable } from './backend/routine-table.ts'
import { installClockPatch, setPlatformTime } from './boot/clock-patch.ts'
import {
  loadEngine,
  type OpenedBackend,
  openBackend,
  type WatchedFiles,
} from './boot/open-backend.ts'
import { installRandomPatch } from './boot/random-patch.ts'
import { proveEngine } from './boot/self-test.ts'
import { installSharedMemoryPatch, type SharedMemoryCapture } from './boot/shared-memory-patch.ts'
import { Clients } from './clients/clients.ts'
import { filterCatalogues } from './fence/catalogue-filter.ts'
import { limitJsonDepth } from './fence/json-depth.ts'
import { fenceObjectRoutines } from './fence/object-routines.ts'
import { nextCopyInput, serveMessages } from './messages.ts'
import { openReplies, send } from './replies.ts'
import { findSequenceCache } from './session/find-sequence-cache.ts'
import type { SequenceCache } from './session/sequence-cache.ts'
import { Session } from './session/session.ts'
import { TimeoutSettings } from './session/session-timeouts.ts'
import { StatementWatch } from './session/statement-watch.ts'
import { ClusterStates } from './states/cluster-states.ts'
import { CatalogueVacuum } from './work/catalogue-vacuum.ts'
import { Checkpointer, loadFence, runPlatformWork } from './work/platform-work.ts'
import { runRehearsal } from './work/rehearsal.ts'
import { answerQuestions } from './work/tenant-questions.ts'
import { type Outcome, runTenantWork, WorkRefused } from './work/tenant-work.ts'

const wallMillis = performance.now.bind(performance)

interface Running {
  readonly opened: OpenedBackend
  readonly session: Session
  readonly control: Int32Array
  readonly cancel: CancelAddresses | undefined
  readonly checkpointer: Checkpointer
  readonly vacuum: CatalogueVacuum
  readonly clients: Clients
  readonly states: ClusterStates | undefined
  readonly timeouts: TimeoutSettings | undefined
}

async function start(options: WorkerOptions): Promise<void> {
  openReplies(options)
  installClockPatch(options.time)
  const capture = installSharedMemoryPatch(options.memoryBytes)
  const restoreClocks = options.seed === undefined ? undefined : installRandomPatch(options.seed)
  const opened = await openBackend(options, await loading)
  restoreClocks?.()
  const { backend } = opened
  const staticBytes = endOfStaticData(capture)
  const session = new Session(backend, new PreparedStatements(options.secret), staticBytes)
  const routines = new RoutineTable(backend, capture.exports)
  fenceObjectRoutines(backend, routines, session.fence)
  filterCatalogues(backend, routines, session.fence)
  limitJsonDepth(backend, routines)
  session.locking.install(routines)
  const degraded: Degradation[] = []
  const cancel = cancelAddresses(capture)
  const usableCancel = proveEngine(session, cancel, degraded)
  if (session.guard !== undefined) session.guard.onDiscardAll = () => session.locking.onDiscardAll()
  loadFence(session)
  session.equip({ sequences: findSequences(session, staticBytes, degraded) })
  const running: Running = {
    opened,
    session,
    control: new Int32Array(options.control),
    cancel: usableCancel,
    checkpointer: new Checkpointer(session),
    vacuum: new CatalogueVacuum(session),
    clients: new Clients(session),
    states: opened.files && statesOf(session, options, opened.files, capture),
    timeouts: TimeoutSettings.find(session),
  }
  watchStatements(running, degraded)
  session.equip({ onCancellable: (isCancellable) => allowCancel(running, isCancellable) })
  serve(running)
  const { engineModule, isCompiledHere } = await loading
  send({
    kind: 'ready',
    cancel: usableCancel,
    degraded,
    heapBytes: backend.heapBytes,
    engineModule,
    isCompiledHere,
  })
}

/** Returns the address behind the engine's static variables and its stack. @throws {BackendDied} */
function endOfStaticData({ exports }: SharedMemoryCapture): number {
  const end = exports?.['__heap_base']
  if (end instanceof WebAssembly.Global) return Number(end.value)
  throw new BackendDied('the engine has no __heap_base')
}

function findSequences(
  session: Session,
  staticBytes: number,
  degraded: Degradation[],
): SequenceCache | undefined {
  const found = findSequenceCache(session, staticBytes)
  if (found === undefined)
    degraded.push({
      capability: 'sequence values',
      consequence: 'currval and lastval fail after another session has worked',
    })
  return found
}

function watchStatements({ session, control, timeouts }: Running, degraded: Degradation[]): void {
  const { guard } = session
  if (timeouts === undefined || guard === undefined) {
    degraded.push({
      capability: 'timeouts',
      consequence: 'statement_timeout and the other timeouts of a session are not obeyed',
    })
    return
  }
  const watch = new StatementWatch(session.backend, timeouts, {
    onStart: (start) => {
      const sequence = Atomics.add(control, STATEMENT_SEQUENCE, 1) + 1
      const id = Atomics.load(control, CURRENT_JOB)
      send({ kind: 'statement', id, sequence, ...start })
    },
    onEnd: () => Atomics.add(control, STATEMENT_SEQUENCE, 1),
  })
  session.equip({ watch })
  guard.onTransactionEnd = () => watch.onTransactionEnd()
}

function statesOf(
  session: Session,
  { dataDir = '' }: WorkerOptions,
  files: WatchedFiles,
  capture: SharedMemoryCapture,
): ClusterStates {
  return new ClusterStates({ session, cluster: dataDir, exports: () => capture.exports, ...files })
}

async function firstMessage(): Promise<WorkerOptions> {
  if (parentPort === null) throw new Error('this file runs in a worker thread only')
  const [options] = await once(parentPort, 'message')
  return options
}

function serve(running: Running): void {
  serveMessages(running.control, (message) => {
    // COPY data that arrives after its statement has failed is dropped.
    if (message.kind !== 'copyInput') answer(running, message)
    // Stops after `close`, because closing the engine needs the event loop.
    return message.kind !== 'close'
  })
}

function answer(running: Running, request: WorkerRequest): void {
  if (request.kind === 'close') {
    close(running, request.id)
    return
  }
  const { id } = request
  if (Atomics.compareExchange(running.control, postedWord(id), id, 0) !== id) {
    send({ kind: 'refused', id, sqlState: '57014', message: 'the job was withdrawn' })
    return
  }
  Atomics.store(running.control, CURRENT_JOB, id)
  clearCancel(running)
  const started = wallMillis()
  try {
    const outcome = perform(running, request)
    reportGranted(running)
    const durationMillis = wallMillis() - started
    const { heapBytes } = running.session.backend
    send({ kind: 'done', id: request.id, ...outcome, durationMillis, heapBytes })
    if (outcome.keepsBackend === true) return
    running.checkpointer.afterJob()
  } catch (thrown) {
    if (thrown instanceof WorkRefused) {
      // The refused work released its advisory locks, so other sessions may have got these locks.
      reportGranted(running)
      send({ kind: 'refused', id: request.id, sqlState: thrown.sqlState, message: thrown.message })
    } else die(thrown, false)
  }
}

function reportGranted({ session }: Running): void {
  const tickets = session.locking.takeGranted()
  if (tickets.length > 0) send({ kind: 'granted', tickets })
}

const NOTHING: Outcome = { bytes: new Uint8Array(0), committed: true }

function perform(running: Running, request: Exclude<WorkerRequest, CloseRequest>): Outcome {
  const { session } = running
  switch (request.kind) {
    case 'run':
      return runTenantWork(session, request.work, request.resumes)
    case 'ask':
      return answerQuestions(session, request.asked)
    case 'rehearse':
      return runRehearsal(session, request.rehearsal, request.resumes, wallMillis)
    case 'vacuum':
      running.vacuum.runNext()
      return NOTHING
    case 'admin':
      return runPlatformWork(session, request.text)
    case 'connect':
      return running.clients.connect(request)
    case 'turn':
      return {
        ...running.clients.run(request, streamingOf(running, request.id)),
        idleInTransactionMillis: running.timeouts?.get('idleInTransaction'),
      }
    case 'disconnect':
      return running.clients.disconnect(request.client)
    case 'state':
      if (running.states === undefined)
        throw new WorkRefused('0A000', 'this engine keeps no states of its cluster')
      return running.states.run(request)
    case 'setTime':
      setPlatformTime(request.time)
      return NOTHING
    default:
      return request satisfies never
  }
}

function streamingOf({ control }: Running, id: number): Streaming {
  return {
    onOutput: (bytes) => send({ kind: 'partial', id, bytes, wantsInput: false }),
    nextInput: (bytes) => {
      send({ kind: 'partial', id, bytes, wantsInput: true })
      return nextCopyInput(control)
    },
  }
}

function close(running: Running, id: number): void {
  running.opened.close().then(
    () => {
      send({ kind: 'done', id, ...NOTHING, durationMillis: 0, heapBytes: 0 })
      parentPort?.close()
    },
    (thrown: unknown) => die(thrown, false),
  )
}

function allowCancel(running: Running, isCancellable: boolean): void {
  const { control } = running
  Atomics.store(control, CANCELLABLE_JOB, isCancellable ? Atomics.load(control, CURRENT_JOB) : 0)
  if (!isCancellable) clearCancel(running)
}

// Clears the cancel flags, so that a late cancel cannot hit the clean-up or the next job.
function clearCancel({ cancel, session }: Running): void {
  if (cancel !== undefined) session.backend.writeWord(cancel.queryCancelPending, 0)
}

function cancelAddresses(capture: SharedMemoryCapture): CancelAddresses | undefined {
  const { memory, exports } = capture
  const query = exports?.['QueryCancelPending']
  const interrupt = exports?.['InterruptPending']
  if (!(memory?.buffer instanceof SharedArrayBuffer)) return undefined
  if (!(query instanceof WebAssembly.Global) || !(interrupt instanceof WebAssembly.Global))
    return undefined
  return {
    memory: memory.buffer,
    queryCancelPending: Number(query.value),
    interruptPending: Number(interrupt.value),
  }
}

function die(thrown: unknown, atStart: boolean): void {
  const reason = thrown instanceof BackendDied ? thrown.message : describeThrown(thrown)
  send({ kind: 'died', reason, atStart })
  parentPort?.close()
}

// Loads the engine's code before the first message, because the thread may start before the main thread knows the options.
const loading = loadEngine((workerData as ThreadData).engineModule)
// start() reports the failure, once the main thread listens.
loading.catch(() => undefined)
firstMessage()
  .then(start)
  .catch((thrown: unknown) => die(thrown, true))
