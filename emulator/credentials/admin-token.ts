// The token of `--admin-token`, as a caller presents it: "Authorization: Bearer <token>".
import { timingSafeEqual } from 'node:crypto'

/** Compares in constant time. `authorization` is the header as it came. */
export function carriesAdminToken(
  authorization: string | null | undefined,
  adminToken: string,
): boolean {
  const presented = Buffer.from(authorization ?? '')
  const wanted = Buffer.from(`Bearer ${adminToken}`)
  return presented.length === wanted.length && timingSafeEqual(presented, wanted)
}
