// The token the emulator wants when it was started with --admin-token: kept until the tab closes, never in an address.

const KEY = 'tenantry.admin-token'

export interface AdminTokenState {
  readonly token: string | undefined
  /** The emulator refused a request for want of it. */
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

/** Keeps the token for this tab. */
export function setAdminToken(token: string): void {
  sessionStorage.setItem(KEY, token)
  tell({ token, isWanted: false })
}

/** Called by the client when an answer was `admin_token_required`. */
export function wantAdminToken(): void {
  if (!state.isWanted) tell({ ...state, isWanted: true })
}

function tell(next: AdminTokenState): void {
  state = next
  for (const listener of listeners) listener()
}
