export function TracePage() {
  return <h1 className="p-4 text-title">Trace</h1>;
}
