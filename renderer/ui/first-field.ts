// Finds the field that gets the focus when a form opens.

const FIELDS =
  'form :is(input, textarea, [role=combobox]):not(:disabled, [type=hidden], [type=file], [tabindex="-1"])'

export function firstField(container: HTMLElement | null): HTMLElement | undefined {
  return container?.querySelector<HTMLElement>(FIELDS) ?? undefined
}
