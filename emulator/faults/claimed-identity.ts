// Reads the identity that a credential claims, without verifying the credential. Pure.

export interface ClaimedIdentity {
  readonly role: string | undefined
  readonly subject: string | undefined
  readonly email: string | undefined
}

/** Prefers the separate claim of storage and realtime tokens, which has the role of the exchanged credential. */
export function identityOf(claims: Readonly<Record<string, unknown>>): ClaimedIdentity {
  const { sdb_role: subscriber, origin_role: origin, role, sub, email, claims: own } = claims
  const inner = typeof own === 'object' && own !== null && 'email' in own ? own.email : undefined
  return {
    role: textOf(subscriber) ?? textOf(origin) ?? textOf(role),
    subject: textOf(sub),
    email: textOf(email) ?? textOf(inner),
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
