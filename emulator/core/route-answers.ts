// Types of a service's answer table: the credentials and the successful answers of each route. The OpenAPI documents combine it
// with the route table (core/routes.ts). Answer tables are loaded only when a document is requested.
import type { z } from 'zod'
import type { RouteKey } from './routes.ts'

/** Schema of a JSON answer, media types of another body, or `empty` for an answer without a body. */
export type AnswerBody = z.ZodType | readonly string[] | 'empty'

export interface RouteAnswers<Credential extends string> {
  /** Alternatives. A request carries all credentials of one alternative, and none for an empty one. */
  readonly credentials: readonly (readonly Credential[])[]
  /** Successful answers and redirects by HTTP status. */
  readonly answers: Readonly<Record<number, AnswerBody>>
  /** Schemas of requests that the handler decodes without zod. The query is added to that of the route table. */
  readonly body?: z.ZodType
  readonly query?: z.ZodObject
  /** Headers of successful answers that a caller reads, with one sentence for each. */
  readonly answerHeaders?: Readonly<Record<string, string>>
  /** Refusals are pages for callers that accept HTML. */
  readonly hasErrorPages?: true
  /** Refusals in plain text by HTTP status that belong to a protocol and have no code, with their meaning. */
  readonly protocolRefusals?: Readonly<Record<number, string>>
  /** Media types of a body that is neither JSON nor a form. */
  readonly upload?: readonly string[]
  readonly isUploadOptional?: true
  /** Request headers that the route reads, beside credentials, with one sentence for each. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Has one entry for each key of the route table. */
export type AnswerTable<Credential extends string> = Readonly<
  Record<RouteKey, RouteAnswers<Credential>>
>
