// What the registry refuses. The control plane asks before it acts, so these mean a caller of the registry erred.
import { EmulatorError } from '../core/errors.ts'

export type ProjectErrorCode = 'slug_taken' | 'unknown_project' | 'illegal_transition'

export class ProjectError extends EmulatorError {
  override readonly code: ProjectErrorCode

  constructor(code: ProjectErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
