// Keeps credentials out of logs and journal: the query parameters that carry one are shown by their first characters. Pure.

const SECRET_PARAMETERS =
  /([?&](?:apikey|token|access_token|refresh_token|code|mfa_token)=)([^&#]{0,8})[^&#]*/gi

/** Masks secrets in a path with query: `?token=eyJhbGci…`. */
export function maskSecrets(target: string): string {
  return target.replace(SECRET_PARAMETERS, '$1$2…')
}
