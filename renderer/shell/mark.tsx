// The product's mark.
import type { ReactElement } from 'react'

export function Mark(): ReactElement {
  return (
    <svg viewBox="0 0 16 16" className="size-5" aria-hidden="true">
      <rect width="16" height="16" rx="4" className="fill-accent-fill" />
      <path d="M4 4.5h8v2H9.1V12H6.9V6.5H4z" className="fill-on-accent" />
      <rect x="10.6" y="9.6" width="2.4" height="2.4" rx=".6" fill="#a8f0cb" />
    </svg>
  )
}
