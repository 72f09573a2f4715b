/** A time by the clock of the reader; all of it when it is pointed at. */
export const Time = ({ at }: { readonly at: string }) => {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return null
  const isToday = date.toDateString() === new Date().toDateString()
  const time = date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
  const day = date.toLocaleDateString([], { day: 'numeric', month: 'short' })
  return (
    <time dateTime={date.toISOString()} title={date.toLocaleString()}>
      {isToday ? time : `${day}, ${time}`}
    </time>
  )
}
