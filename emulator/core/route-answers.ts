// Types of a service's answer table: the credentials and the successful answers of each route. The OpenAPI documents combine it
// with the route table (core/routes.ts). Answer tables are loaded only when a document is requested.
import type { z } from 'zod'
import type { RouteKey } from './routes.ts'

/** Schema of a JSON answer, media types of another body, or `empty` for an answer without a body. */
export type AnswerBody = z.ZodType | readonly string[] | 'empty'

export interface RouteAnswers<Credential extends string> {
  /** Alternatives: a request must carry all credentials of one alternative. An empty alternative needs no credential. */
  readonly credentials: readonly (readonly Credential[])[]
  /** Successful answers and redirects by HTTP status. */
  readonly answers: Readonly<Record<number, AnswerBody>>
  /** Schemas for parts of requests that the handler decodes without zod. `query` extends the query of the route table. */
  readonly body?: z.ZodType
  readonly query?: z.ZodObject
  /** Headers of successful answers that callers use, with one sentence about each header. */
  readonly answerHeaders?: Readonly<Record<string, string>>
  /** True when callers that accept HTML get refusals as pages. */
  readonly hasErrorPages?: true
  /** Meanings of a protocol's own refusals by HTTP status. These refusals are plain text and have no code. */
  readonly protocolRefusals?: Readonly<Record<number, string>>
  /** Media types of a body that is neither JSON nor a form. */
  readonly upload?: readonly string[]
  readonly isUploadOptional?: true
  /** Request headers that the route reads, except credentials, with one sentence about each header. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Has one entry for each key of the route table. */
export type AnswerTable<Credential extends string> = Readonly<
  Record<RouteKey, RouteAnswers<Credential>>
>
