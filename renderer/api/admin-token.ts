// The token that an emulator started with --admin-token requires. The tab's session storage holds the token, never a
// URL.

const KEY = 'tenantry.admin-token'

export interface AdminTokenState {
  readonly token: string | undefined
  /** Whether the emulator refused a request because its admin token was missing or wrong. */
  readonly isWanted: boolean
}

let state: AdminTokenState = { token: sessionStorage.getItem(KEY) ?? undefined, isWanted: false }
const listeners = new Set<() => void>()

export function adminTokenState(): AdminTokenState {
  return state
}

export function onAdminToken(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Stores the token for this tab. */
export function setAdminToken(token: string): void {
  sessionStorage.setItem(KEY, token)
  publish({ token, isWanted: false })
}

/** The API client calls this when a response has the code `admin_token_required`. */
export function wantAdminToken(): void {
  if (!state.isWanted) publish({ ...state, isWanted: true })
}

function publish(next: AdminTokenState): void {
  state = next
  for (const listener of listeners) listener()
}
