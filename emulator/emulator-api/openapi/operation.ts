// What the OpenAPI document says of a route beside what can be read off: one line of words, the schemas it decodes with,
// and the name of its answer among the types of the contract.
import type { z } from 'zod'
import type CONTRACT_SCHEMAS from './contract-schemas.json'

/** A type of emulator/contract. */
export type ContractName = keyof typeof CONTRACT_SCHEMAS

export interface Operation {
  readonly summary: string
  /** The schema that the route decodes its query with. */
  readonly query?: z.ZodType
  /** The schema that the route decodes its body with. */
  readonly body?: z.ZodType
  /** A body that is a file. */
  readonly upload?: readonly string[]
  /** Its success: `ContractName` of the JSON, or the media types of something else. */
  readonly answer: ContractName | readonly string[] | 'object'
  /** 200 unless told. */
  readonly status?: number
}

/** By method and path as mounted: `GET /projects/:ref/users`. */
export type OperationTable = Readonly<Record<string, Operation>>
