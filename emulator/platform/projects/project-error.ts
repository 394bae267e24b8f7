// Errors of the registry. The control plane checks first, so these errors mean a bug in the registry's caller.
import { EmulatorError } from '../../core/errors.ts'

export type ProjectErrorCode = 'slug_taken' | 'unknown_project' | 'illegal_transition'

export class ProjectError extends EmulatorError {
  override readonly code: ProjectErrorCode

  constructor(code: ProjectErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
