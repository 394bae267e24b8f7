// Checks the token of `--admin-token` in a request's "Authorization: Bearer <token>".
import { timingSafeEqual } from 'node:crypto'

/** Compares the token in constant time. `authorization` is the raw header. */
export function carriesAdminToken(
  authorization: string | null | undefined,
  adminToken: string,
): boolean {
  const presented = Buffer.from(authorization ?? '')
  const wanted = Buffer.from(`Bearer ${adminToken}`)
  return presented.length === wanted.length && timingSafeEqual(presented, wanted)
}
