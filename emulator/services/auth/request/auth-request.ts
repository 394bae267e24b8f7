// The data of a request that auth operations need.
import type { Addresses } from '../../../core/request-env.ts'
import type { Project } from '../../../platform/projects/project.ts'
import type { AuthSettings } from '../auth-settings.ts'

/** The project that a request is about, its settings and the addresses it used. */
export interface AuthRequest {
  readonly project: Project
  readonly settings: AuthSettings
  readonly addresses: Addresses
  readonly userAgent: string | undefined
}
