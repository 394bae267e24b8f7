// The pattern of the answer to every sign-in (docs/wire/auth.md#session).
import { between, JWT, OBJECT, PASETO, type Pattern, TEXT } from '../../model/patterns.ts'

export const SESSION: Readonly<Record<string, Pattern>> = {
  access_token: PASETO,
  data_plane_token: JWT,
  refresh_token: TEXT,
  token_type: 'bearer',
  expires_in: 3_600,
  expires_at: between(1e9, 1e11),
  user: OBJECT,
}
