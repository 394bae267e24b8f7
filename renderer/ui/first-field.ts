// Finds the field that gets the focus when a form opens.

const FIELDS =
  'form :is(input, textarea, [role=combobox]):not(:disabled, [type=hidden], [type=file], [tabindex="-1"])'

/** Selects a suggested text, so that typing replaces it. */
export function firstField(container: HTMLElement | null): HTMLElement | undefined {
  const field = container?.querySelector<HTMLElement>(FIELDS) ?? undefined
  if (field instanceof HTMLInputElement && field.type === 'text') field.select()
  return field
}
