// Loads answers of the emulator's own API into the query cache.
import {
  type QueryKey,
  skipToken,
  type UseQueryOptions,
  type UseQueryResult,
  useQuery,
} from '@tanstack/react-query'
import type {
  Answer,
  CallArguments,
  Inputs,
  JsonOperationName,
} from '../../emulator/contract/operations.ts'
import { type CallOptions, call } from './client.ts'

export type OperationQueryOptions<Data> = Omit<UseQueryOptions<Data>, 'queryKey' | 'queryFn'>

/** Loads the answer of an operation under `queryKey`. The query loads nothing while `inputs` is undefined. */
export function useOperation<Name extends JsonOperationName>(
  name: Name,
  queryKey: QueryKey,
  inputs: Inputs<Name> | undefined,
  options?: OperationQueryOptions<Answer<Name>>,
): UseQueryResult<Answer<Name>> {
  return useQuery<Answer<Name>>({
    ...options,
    queryKey,
    queryFn:
      inputs === undefined
        ? skipToken
        : ({ signal }) =>
            call<Name>(name, ...([{ ...inputs, signal }] as CallArguments<Name, CallOptions>)),
  })
}
