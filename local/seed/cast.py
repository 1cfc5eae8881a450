"""Who and what the main sample user's story is about. All of it is invented."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CastMember:
    name: str
    address: str
    company: str
    job: str
    relationship: str
    about: str
    phone: str = ""

    @property
    def first(self) -> str:
        return self.name.split()[0]

    def attendee(self) -> dict[str, str]:
        return {"name": self.name, "email": self.address}


def _colleague(name: str, job: str, about: str) -> CastMember:
    local = name.lower().replace("é", "e").replace("á", "a").replace("ö", "o").replace(" ", ".")
    return CastMember(name, f"{local}@northlight.example", "Northlight Instruments", job, "colleague", about)


PEOPLE = (
    _colleague("Ingrid Solheim", "Chief executive", "Decides fast, wants one page, hates surprises about dates."),
    _colleague("Jonas Verhoeven", "Hardware lead", "Owns the optical head of the Kestrel probe and its calibration."),
    _colleague("Tomás Aguirre", "Firmware engineer", "Writes Osprey, the firmware that runs on every probe."),
    _colleague("Amara Okonkwo", "Launch marketing lead", "Plans the Kestrel launch, speaks to press and resellers."),
    _colleague("Priya Raman", "Finance partner", "Keeps the budgets; asks for numbers before meetings."),
    _colleague("Henrik Aaltonen", "Data engineer, joining", "Accepted the offer; start date is not agreed yet."),
    CastMember(
        "Wei-Ling Chou",
        "weiling.chou@kaohsiung-optics.example",
        "Kaohsiung Optics",
        "Supply manager",
        "supplier",
        "Sells us the quartz windows. Answers overnight, prefers short lists of questions.",
        "+886 7 555 0142",
    ),
    CastMember(
        "Dafydd Pryce",
        "d.pryce@talbot-harbour.example",
        "Talbot Harbour Authority",
        "Environment officer",
        "customer",
        "Runs the harbour pilot: six probes along the tidal basin. Needs reports he can forward to the regulator.",
        "+44 1639 555 019",
    ),
    CastMember(
        "Lucía Ferrer",
        "lucia@ferrer-vidal.example",
        "Ferrer & Vidal",
        "Counsel",
        "adviser",
        "Our outside counsel for contracts; reads every line, answers within two days.",
    ),
    CastMember(
        "Noor Haddad",
        "noor@brightwater.example",
        "Brightwater Ventures",
        "Partner",
        "investor",
        "Leads the Series A conversation. Writes in English and Arabic.",
    ),
    CastMember("Sofie Lindqvist", "sofie.l@post.example", "", "", "family", "Sister. Plans the family things."),
)
BY_NAME = {person.name: person for person in PEOPLE}

#: Project -> who works on it, what it is, and what everyday work on it sounds like.
PROJECTS: dict[str, tuple[tuple[str, ...], str, tuple[str, ...]]] = {
    "Kestrel launch": (
        ("Amara Okonkwo", "Jonas Verhoeven", "Ingrid Solheim"),
        "Bring the Kestrel water probe to market.",
        (
            "packaging proof came back with the old logo on the side panel",
            "reseller questions about the mounting bracket keep coming",
            "the product page needs a photograph of the probe in salt water",
            "field notes from the fjord test read well enough to quote",
            "the unboxing film is cut, the sound is not",
            "press list has three names that bounced",
        ),
    ),
    "Osprey firmware": (
        ("Tomás Aguirre", "Jonas Verhoeven"),
        "Version two of the firmware on every probe.",
        (
            "the watchdog fired again after a cold start in the climate chamber",
            "drift compensation is merged behind a switch",
            "the bootloader now refuses images without a signature",
            "log rotation eats the battery when the flash is nearly full",
            "a probe on the bench stopped reporting turbidity until it was power cycled",
            "radio sleep saves more than the simulator promised",
        ),
    ),
    "Harbour pilot": (
        ("Dafydd Pryce", "Jonas Verhoeven", "Tomás Aguirre"),
        "Six probes in the tidal basin of Talbot harbour.",
        (
            "probe four shows algae on the window, the diver cleaned it",
            "the tide table and the salinity curve agree now",
            "the harbour office wants the chart in local time",
            "a dredger passed and all six probes saw the plume",
            "the mooring of probe two was checked from the boat",
            "the regulator's template asks for monthly medians",
        ),
    ),
    "Series A round": (
        ("Noor Haddad", "Priya Raman", "Ingrid Solheim", "Lucía Ferrer"),
        "Raise the money for two years of work.",
        (
            "the data room index is sorted by topic now",
            "the churn page of the deck needs a footnote",
            "references from resellers were asked for",
            "the cap table export has a rounding fault in the last column",
            "questions about the patent family came up again",
            "the model now separates probes from subscriptions",
        ),
    ),
    "Lab move": (
        ("Priya Raman", "Jonas Verhoeven"),
        "Move the lab from the courtyard to the quay.",
        (
            "the fume hood does not fit through the east door",
            "the landlord sent drawings without the floor drains",
            "the climate chamber needs three phases where it will stand",
            "boxes for the optics bench have to be ordered flat",
            "the old keys must be counted before handing over",
            "the quay floor was measured, it is level enough",
        ),
    ),
}
