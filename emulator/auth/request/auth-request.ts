// What an operation knows of the request that asked for it.
import type { Addresses } from '../../core/request-env.ts'
import type { Project } from '../../projects/project.ts'
import type { AuthSettings } from '../auth-settings.ts'

/** The project a request is about, and what it needs to know of the request. */
export interface AuthRequest {
  readonly project: Project
  readonly settings: AuthSettings
  readonly addresses: Addresses
  readonly userAgent: string | undefined
}
