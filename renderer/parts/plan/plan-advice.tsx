// Advice on a statement. The emulator tries the advice when the inspector first shows it.
import type { ReactElement } from 'react'
import type { AdviceRequest } from '../../../emulator/contract/query-plans.ts'
import { usePlanAdvice } from '../../api/sql.ts'
import { Loaded } from '../loaded.tsx'
import { AdviceList } from './advice-list.tsx'

export function PlanAdvice(props: {
  readonly tenant: string
  readonly of: Pick<AdviceRequest, 'sql' | 'parameters' | 'identity'>
}): ReactElement {
  const { of, tenant } = props
  const advice = usePlanAdvice(tenant, of)
  return (
    <Loaded query={advice} what="advice">
      {(answer) => <AdviceList tenant={tenant} answer={answer} />}
    </Loaded>
  )
}
