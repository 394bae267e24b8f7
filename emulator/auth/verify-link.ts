// Links that do something when they are followed: GET /auth/v1/verify of our own (docs/wire/auth.md#magic-link). Pure.
import type { Addresses } from '../core/request-env.ts'
import type { Project } from '../projects/project.ts'

export type LinkType = 'confirmation' | 'magic_link'

/** The address a message carries. */
export function verifyLink(
  { authUrl }: Pick<Addresses, 'authUrl'>,
  { slug }: Pick<Project, 'slug'>,
  type: LinkType,
  token: string,
): string {
  return `${authUrl}/auth/v1/verify?${new URLSearchParams({ type, token, project: slug })}`
}
