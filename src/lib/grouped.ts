/** A whole number with a comma for every three digits. `toLocaleString` costs 13 ms the first time. */
export const grouped = (value: number): string => String(value).replace(/\B(?=(?:\d{3})+$)/g, ',')
