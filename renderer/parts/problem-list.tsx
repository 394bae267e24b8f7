// Lists problems of a fixture with their places. Used by the fixtures screen and the home screen.

import type { ReactElement } from 'react'
import type { FixtureProblem } from '../../emulator/contract/fixtures.ts'
import { Breakable } from '../ui/breakable.tsx'
import { CopyButton } from '../ui/copy-button.tsx'

export function ProblemList(props: { readonly problems: readonly FixtureProblem[] }): ReactElement {
  return (
    <ul aria-label="Problems" className="flex flex-col divide-y rounded-2 border bg-surface-0">
      {props.problems.map((problem, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: problems have no id
        <Problem key={index} problem={problem} />
      ))}
    </ul>
  )
}

function Problem({ problem }: { readonly problem: FixtureProblem }): ReactElement {
  const place = problem.line === null ? problem.file : `${problem.file}:${problem.line}`
  return (
    <li className="flex flex-col gap-1 px-3 py-2">
      <p className="break-words">
        {problem.path !== '' && (
          <code className="break-words">
            <Breakable text={problem.path} />
          </code>
        )}{' '}
        {problem.message}
      </p>
      {problem.statement !== undefined && (
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll the block
          tabIndex={0}
          role="group"
          aria-label="Statement"
          className="max-h-40 overflow-auto whitespace-pre-wrap break-words text-small"
        >
          {problem.statement}
        </pre>
      )}
      <p className="flex items-center gap-2 text-small text-ink-dim">
        <code className="min-w-0 break-words text-ink">
          <Breakable text={place} />
        </code>
        <CopyButton text={place} label="Copy place" />
      </p>
    </li>
  )
}
