// Tests at every start the internals of PGlite that tenant isolation relies on. The engine refuses to start when a test fails.
// The test of cancellation may fail: the engine then uses a slower way to cancel.
import { isDeepStrictEqual } from 'node:util'
import type { PlatformTime } from '../../../../core/platform-clock.ts'
import { epochMillis } from '../../../../core/time.ts'
import { cellText } from '../../../engine.ts'
import { firstError, parseBackendMessages } from '../../../wire-protocol/backend-messages.ts'
import { FrontendMessages } from '../../../wire-protocol/frontend-messages.ts'
import type { CancelAddresses, Degradation } from '../../worker-protocol.ts'
import { BackendDied } from '../backend/backend.ts'
import { PLATFORM_WORK, type Side } from '../fence/fence.ts'
import { UtilityGuard } from '../fence/utility-guard.ts'
import { type Session, singleStatement } from '../session/session.ts'
import { platformTime, setPlatformTime } from './clock-patch.ts'

const CANARY = 'platform'
const PROBED_INSTANT = 1_234_567_890_000
const PROBED_TEXT = '2009-02-13 23:31:30+00'
const READ_SESSION_ROUTINES = `select oid from ${CANARY}.session_routines`

/**
 * Tests the engine. Returns the addresses of the cancel flags when cancellation works.
 * @throws {BackendDied} when tenants cannot be confined, or SQL's clock does not follow the platform's
 */
export function proveEngine(
  session: Session,
  cancel: CancelAddresses | undefined,
  degraded: Degradation[],
): CancelAddresses | undefined {
  proveIdentity(session)
  proveLockedOption(session)
  proveFence(session)
  proveClock(session)
  session.equip({ guard: installGuard(session) })
  session.clean()
  if (cancel !== undefined && provesCancel(session, cancel)) return cancel
  degraded.push({
    capability: 'cancel',
    consequence: 'a statement over its deadline ends with a restart of the engine',
  })
  return undefined
}

function errorOf(session: Session, text: string): string | undefined {
  return firstError(session.backend.exchange(query(text)))?.code
}

function query(text: string): Uint8Array {
  return new FrontendMessages().query(text).bytes()
}

function cells(session: Session, text: string): (string | undefined)[] {
  const reply = parseBackendMessages(session.backend.exchange(singleStatement(text)))
  if (reply.error !== undefined) throw new BackendDied(`a proof failed: ${reply.error.message}`)
  return reply.results[0]?.rows.map((row) => cellText(row[0])) ?? []
}

function proveIdentity(session: Session): void {
  const attempt = 'set session authorization postgres; reset session authorization'
  session.identity.open()
  const isEffective = errorOf(session, attempt) === undefined
  session.identity.close()
  const isClosed = errorOf(session, attempt) === '42501' && session.identity.isIdle()
  if (!isEffective || !isClosed) throw new BackendDied('roles cannot be confined')
}

function proveLockedOption(session: Session): void {
  if (errorOf(session, 'set exit_on_error = on') !== '55P02')
    throw new BackendDied('the setting exit_on_error cannot be locked')
}

// Tests each of the fence's four checks, and tests that the owner is not refused. Platform work skips the check of names. During
// platform work, reading a table tests the permission hook, and calling a function tests the execute hook.
function proveFence(session: Session): void {
  const { fence } = session
  let namespace = 0
  session.between(() => {
    const { backend } = session
    namespace = backend.module._get_namespace_oid(backend.constant(CANARY), 1)
  })
  fence.setOwners(new Map([[namespace, CANARY]]))
  const name = `select '${CANARY}.canary'::regclass`
  const table = `select from ${CANARY}.canary`
  const call = `select ${CANARY}.canary_call()`
  const isRefused = (side: Side, text: string): boolean => {
    fence.side = side
    try {
      return errorOf(session, text) === '42501'
    } finally {
      fence.side = undefined
    }
  }
  const [oid] = cells(session, `select '${CANARY}.canary'::regclass::oid`)
  const size = `select pg_table_size(${oid})`
  const isOpenInside = [name, table, call, size].every((text) => !isRefused(CANARY, text))
  const isShutOutside =
    isRefused('another', name) &&
    isRefused('another', size) &&
    isRefused(PLATFORM_WORK, table) &&
    isRefused(PLATFORM_WORK, call)
  if (!isOpenInside || !isShutOutside)
    throw new BackendDied('the fence between tenants does not work')
  proveCatalogueFilter(session, oid)
}

// Tests the filter on a catalogue, on a view over a catalogue, and on a function that prints an object's name.
function proveCatalogueFilter(session: Session, canary: string | undefined): void {
  const { fence } = session
  const found = (side: Side): readonly (string | undefined)[] => {
    fence.side = side
    try {
      return [
        `select count(*) from pg_catalog.pg_class where oid = ${canary}`,
        `select count(*) from pg_catalog.pg_tables where tablename = 'canary'`,
        `select ${canary}::regclass`,
      ].flatMap((text) => cells(session, text))
    } finally {
      fence.side = undefined
    }
  }
  const name = `${CANARY}.canary`
  const isShownInside = isDeepStrictEqual(found(CANARY), ['1', '1', name])
  const isHiddenOutside = isDeepStrictEqual(found('another'), ['0', '0', canary])
  if (!isShownInside || !isHiddenOutside)
    throw new BackendDied('the catalogues cannot be confined to one tenant')
}

function proveClock(session: Session): void {
  const before: PlatformTime = platformTime()
  setPlatformTime({ kind: 'frozen', at: epochMillis(PROBED_INSTANT) })
  try {
    const [shown] = cells(session, 'select clock_timestamp()')
    if (shown !== PROBED_TEXT) throw new BackendDied('SQL does not follow the platform’s clock')
  } finally {
    setPlatformTime(before)
  }
}

function installGuard(session: Session): UtilityGuard {
  const { backend, fence } = session
  const guard = UtilityGuard.install(backend, (text) => backend.exchange(query(text)))
  guard.onTableCopy = (isCopying) => {
    fence.isCopyingTable = isCopying
  }
  guard.begin()
  const isRefusing = ['reset role', 'drop owned by current_user'].every(
    (text) => errorOf(session, text) === '42501',
  )
  guard.end()
  if (!isRefusing) throw new BackendDied('role statements are not refused')
  fence.setStickyRoutines(cells(session, READ_SESSION_ROUTINES).map(Number))
  return guard
}

// Tests cancellation: sets the flags while a function starts, as the main thread would.
function provesCancel(session: Session, cancel: CancelAddresses): boolean {
  const { backend, fence } = session
  fence.side = CANARY
  fence.onRoutine = () => {
    backend.writeWord(cancel.queryCancelPending, 1)
    backend.writeWord(cancel.interruptPending, 1)
  }
  try {
    return errorOf(session, `select ${CANARY}.canary_call()`) === '57014'
  } finally {
    fence.onRoutine = undefined
    fence.side = undefined
  }
}
