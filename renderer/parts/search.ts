// Reads and changes the search parameters of a screen's address. Each `<screen>-search.ts` declares its parameters with
// `searchReader`, which ignores parameters with invalid values.
import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { identityText, parseIdentityText } from './identity-text.ts'
import { parseRowKeyText, rowKeyText } from './row-key.ts'

/** Reads one parameter's value. Returns `undefined` when the value is missing or invalid. */
export type Parameter<Value> = (value: unknown) => Value | undefined

/** Reads all parameters of an address, for the router's `validateSearch`. */
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

/** A non-empty text. This function converts numbers back to text, because the router parses `?q=42` as a number. */
export function text(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function number(value: unknown): number | undefined {
  const read = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof read === 'number' && Number.isFinite(read) ? read : undefined
}

/** Reads one of the given words. The default word is ignored, so that the address does not contain it. */
export function oneOf<const Word extends string>(
  words: readonly Word[],
  withoutIt?: NoInfer<Word>,
): Parameter<Word> {
  return (value) => words.find((word) => word === value && word !== withoutIt)
}

/** An identity in the format of identity-text.ts. */
export function identity(value: unknown): string | undefined {
  const known = parseIdentityText(value)
  return known && identityText(known)
}

/** A row's key in the format of row-key.ts. */
export function rowKey(value: unknown): string | undefined {
  const known = parseRowKeyText(value)
  return known && rowKeyText(known)
}

/** Replaces all search parameters of the open screen without a new entry in the browser's history. */
export function useSetSearch<Search extends object>(): (search: Search) => void {
  const navigate = useNavigate()
  return useCallback((search) => void navigate({ to: '.', search, replace: true }), [navigate])
}

/**
 * Changes some search parameters of the open screen. The value `undefined` removes a parameter. With `isReplacing`, the
 * browser's history gets no entry.
 */
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
