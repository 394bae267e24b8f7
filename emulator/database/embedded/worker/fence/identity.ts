// The role that the backend is authenticated as. PGlite authenticates as the bootstrap superuser, so SET ROLE could reach every
// role. We overwrite the static `AuthenticatedUserId` with the working role's oid and make that role the session user, also
// after RESET. PostgreSQL's own checks (check_session_authorization, check_role) then refuse any other role.
import { type Backend, BackendDied } from '../backend/backend.ts'
import { GucAction, GucContext, GucSource, setOption } from '../session/settings.ts'

export const IDLE_ROLE = 'platform_idle'

const SUPERUSER_OID = 10 // BOOTSTRAP_SUPERUSERID
const MARKERS = [0x5eedface, 0x0ddba11e] as const
const NEIGHBOUR_BYTES = 64

export class Identity {
  readonly #backend: Backend
  readonly #authenticatedUser: number
  readonly #idleOid: number
  readonly #oids = new Map<string, number>()
  #sessionRole = IDLE_ROLE

  private constructor(backend: Backend, authenticatedUser: number, idleOid: number) {
    this.#backend = backend
    this.#authenticatedUser = authenticatedUser
    this.#idleOid = idleOid
    this.#oids.set(IDLE_ROLE, idleOid)
  }

  /**
   * Finds the variable and stops acting as superuser. Call this method before all others after boot.
   * @param staticBytes end of the engine's static data
   * @throws {BackendDied} when the variable is not found
   */
  static install(
    backend: Backend,
    staticBytes: number,
    transaction: (inside: () => void) => void,
  ): Identity {
    const currentUser = findCurrentUser(backend, staticBytes)
    let idleOid = 0
    transaction(() => {
      idleOid = backend.module._get_role_oid(backend.constant(IDLE_ROLE), 1)
      setSessionRole(backend, IDLE_ROLE)
    })
    // The current, outer and session user are the idle role at this point. The one word nearby whose value is still 10 is
    // `AuthenticatedUserId`.
    const candidates: number[] = []
    for (let at = currentUser - NEIGHBOUR_BYTES; at <= currentUser + NEIGHBOUR_BYTES; at += 4)
      if (backend.readWord(at) === SUPERUSER_OID) candidates.push(at)
    const [found, ...others] = candidates
    const isIdle = idleOid !== 0 && backend.module._GetSessionUserId() === idleOid
    if (!isIdle || found === undefined || others.length > 0)
      throw new BackendDied('the authenticated user cannot be found in the engine’s memory')
    const identity = new Identity(backend, found, idleOid)
    identity.close()
    return identity
  }

  /** Returns the oid of a role, or 0 when the role does not exist. The first call needs an open transaction. */
  oidOf(role: string): number {
    const known = this.#oids.get(role)
    if (known !== undefined) return known
    const backend = this.#backend
    const oid = backend.guarded(() => backend.module._get_role_oid(backend.constant(role), 1)) ?? 0
    if (oid !== 0) this.#oids.set(role, oid)
    return oid
  }

  /** Clears the cached oids, because roles may have been created or dropped. */
  forgetOids(): void {
    this.#oids.clear()
    this.#oids.set(IDLE_ROLE, this.#idleOid)
  }

  /** Whether `role` is the session user already. If so, makes `role` also the authenticated user. */
  isAlready(role: string): boolean {
    const oid = this.#oids.get(role)
    if (this.#sessionRole !== role || oid === undefined || !this.is(oid)) return false
    this.#backend.writeWord(this.#authenticatedUser, oid)
    return true
  }

  /** Makes `role` the session user, even beyond the open transaction. Returns false when Postgres refuses. */
  become(role: string): boolean {
    const oid = this.oidOf(role)
    this.#backend.writeWord(this.#authenticatedUser, oid)
    const isSet = oid !== 0 && setSessionRole(this.#backend, role)
    this.#sessionRole = isSet ? role : ''
    return isSet && this.is(oid)
  }

  /** Whether both the session user and the current user are this role. */
  is(oid: number): boolean {
    const { module } = this.#backend
    return module._GetSessionUserId() === oid && module._GetUserId() === oid
  }

  isIdle(): boolean {
    return this.is(this.#idleOid)
  }

  /** Makes the open transaction run as superuser until it ends. */
  elevateTransaction(): boolean {
    this.#backend.writeWord(this.#authenticatedUser, SUPERUSER_OID)
    const done = setOption(this.#backend, 'session_authorization', 'postgres', {
      context: GucContext.user,
      source: GucSource.session,
      action: GucAction.local,
    })
    this.close()
    return done && this.is(SUPERUSER_OID)
  }

  /** Authenticates as the idle role, which cannot become another role. */
  close(): void {
    this.#backend.writeWord(this.#authenticatedUser, this.#idleOid)
  }

  /** Authenticates as the superuser, for the self-test at the start. */
  open(): void {
    this.#backend.writeWord(this.#authenticatedUser, SUPERUSER_OID)
  }
}

// With this source, RESET keeps the value and a rollback does not undo it (guc.c, set_config_with_handle: makeDefault).
// PostgreSQL resets `role` along with this setting.
function setSessionRole(backend: Backend, role: string): boolean {
  return setOption(backend, 'session_authorization', role, {
    context: GucContext.backend,
    source: GucSource.override,
    action: GucAction.set,
  })
}

// Finds CurrentUserId, which has an exported setter. Sets the variable to a marker and searches static data for the marker. Repeats
// the search with a second marker to exclude chance, then restores the value.
function findCurrentUser(backend: Backend, staticBytes: number): number {
  const { module } = backend
  const scratch = module._malloc(8)
  module._GetUserIdAndSecContext(scratch, scratch + 4)
  const userId = backend.readWord(scratch)
  const securityContext = backend.readWord(scratch + 4)
  module._free(scratch)
  const words = new Uint32Array(module.HEAPU8.buffer, 0, Math.floor(staticBytes / 4))
  let candidates: number[] = []
  const [first, second] = MARKERS
  module._SetUserIdAndSecContext(first, securityContext)
  for (let at = words.indexOf(first); at >= 0; at = words.indexOf(first, at + 1))
    candidates.push(at)
  module._SetUserIdAndSecContext(second, securityContext)
  candidates = candidates.filter((at) => words[at] === second)
  module._SetUserIdAndSecContext(userId, securityContext)
  candidates = candidates.filter((at) => words[at] === userId)
  const [found, ...others] = candidates
  if (userId !== SUPERUSER_OID || found === undefined || others.length > 0)
    throw new BackendDied('the current user cannot be found in the engine’s memory')
  return found * 4
}
