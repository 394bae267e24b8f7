// The search parameters of a screen's address: reading them from any text, and changing them. Every `<screen>-search.ts` lists
// its parameters with `searchReader`; a parameter with a wrong value is left out.
import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { identityText, parseIdentityText } from './identity-text.ts'
import { parseRowKeyText, rowKeyText } from './row-key.ts'

/** Reads one parameter's value; `undefined` when it has none or a wrong one. */
export type Parameter<Value> = (value: unknown) => Value | undefined

/** Reads a whole address for the router's `validateSearch`. */
export type SearchReader<Search> = (raw: Readonly<Record<string, unknown>>) => Search

export function searchReader<Search extends object>(
  parameters: {
    readonly [Name in keyof Search]-?: Parameter<NonNullable<Search[Name]>>
  },
): SearchReader<Search> {
  const readers = Object.entries<Parameter<unknown>>(parameters)
  return (raw) =>
    Object.fromEntries(
      readers
        .map(([name, read]) => [name, read(raw[name])] as const)
        .filter(([, value]) => value !== undefined),
    ) as Search
}

/** A text that is not empty. The router reads `?q=42` as a number; here it becomes text again. */
export function text(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function number(value: unknown): number | undefined {
  const read = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof read === 'number' && Number.isFinite(read) ? read : undefined
}

/** One of the given words; the one that holds without the parameter is left out of the address. */
export function oneOf<const Word extends string>(
  words: readonly Word[],
  withoutIt?: NoInfer<Word>,
): Parameter<Word> {
  return (value) => words.find((word) => word === value && word !== withoutIt)
}

/** An identity as identity-text writes it. */
export function identity(value: unknown): string | undefined {
  const known = parseIdentityText(value)
  return known && identityText(known)
}

/** A row's key as row-key writes it. */
export function rowKey(value: unknown): string | undefined {
  const known = parseRowKeyText(value)
  return known && rowKeyText(known)
}

/** Replaces all search parameters of the open screen, without a new entry in the browser's history. */
export function useSetSearch<Search extends object>(): (search: Search) => void {
  const navigate = useNavigate()
  return useCallback((search) => void navigate({ to: '.', search, replace: true }), [navigate])
}

/** Changes some search parameters of the open screen; `undefined` removes one. `isReplacing` adds no entry to the history. */
export function useChangeSearch<Search extends object>(): (
  changes: Partial<Search>,
  isReplacing?: boolean,
) => void {
  const navigate = useNavigate()
  return useCallback(
    (changes, isReplacing = false) =>
      void navigate({
        to: '.',
        search: (before: object) => ({ ...before, ...changes }),
        replace: isReplacing,
      }),
    [navigate],
  )
}
