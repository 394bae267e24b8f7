// A refusal that another protocol than storage's own JSON has put into words already: TUS, S3.
import { EmulatorError } from '../core/errors.ts'
import type { RenderedError } from '../core/request-env.ts'

/** Passed on by the service's renderer as it is. */
export class RenderedRefusal extends EmulatorError {
  override readonly code: string
  readonly rendered: RenderedError

  constructor(rendered: RenderedError, cause?: unknown) {
    super(rendered.message, { cause })
    this.code = rendered.code
    this.rendered = rendered
  }
}
