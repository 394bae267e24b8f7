// Reads the comments that accept findings: a line `tenantry: allow <rule> <reason>` in the comment of a table, view, policy or
// function. `migrate lint` reads the same words before a statement. Pure.

const ALLOW = /^\s*(?:--\s*)?tenantry:\s*allow\s+([\w-]+)[^\S\n]*(.*)$/gm
const NO_REASON = 'no reason given'

/** Returns the reason with which one of the comments accepts the rule; `null` when none does. */
export function acceptanceOf(
  rule: string,
  comments: readonly (string | null | undefined)[],
): string | null {
  for (const comment of comments)
    for (const [, accepted, reason = ''] of (comment ?? '').matchAll(ALLOW))
      if (accepted === rule) return reason.trim() === '' ? NO_REASON : reason.trim()
  return null
}
