"""English."""

from __future__ import annotations

from typing import Final

from consumer.understanding.questions.tables.form import QuestionWords, pairs, phrases, words

WORDS: Final = QuestionWords(
    code="en",
    when=phrases(
        "when | when's | whens | by when | until when | till when | what day | which day | what date | which date |"
        " on what date | on which date | what time | at what time | how soon | by what date | how long do i have"
    ),
    who=phrases("who | who's | whos | whom | who'll | to whom | from whom"),
    much=phrases("how much | how much's | how many | how high | how expensive | what amount"),
    elsewhere=phrases("where | where's | wheres | why | how come | how | which room | what address"),
    what=words("what what's whats which"),
    dates=words("date dates"),
    subject_i=words("i i'm im i've ive i'd we we're we've"),
    owe=phrases(
        "owe | owes | owed | promise | promised | promises | have to | has to | had to | need to | needs to | must |"
        " supposed to | should | got to | gotta | agreed to | agree to | commit to | committed to | to do | to-do |"
        " to-dos | todo | todos | open tasks | left to do | on my list | on my plate | on my side"
    ),
    owed_me=phrases(
        "am i owed | are we owed | was i promised | were we promised | i'm owed | owed to me | owed to us | owe"
        " me | owe us | owes me | owes us | promise me | promise us | promised me | promised us | promised to me"
    ),
    promise=phrases("promise | promised | promises | agreed to | committed to"),
    must=phrases("have to | has to | need to | needs to | must | should | got to | gotta | supposed to"),
    want=phrases(
        "want | wants | wanted | need from | needs from | needed from | ask | asks | asked | request | requests |"
        " requested | expect | expects | asking for"
    ),
    wait=phrases("waiting for | waiting on | wait for | expecting | still get | still getting | outstanding from"),
    due=phrases("due | coming up | on the agenda | to be done | is up | have on"),
    overdue=phrases("overdue | past due | late | missed"),
    changed=phrases(
        "changed | change | changes | moved | move | postponed | rescheduled | shifted | pushed back | brought forward"
    ),
    changed_past=words("changed moved postponed rescheduled shifted pushed brought did was were been"),
    not_yet=words("will what'll would can could shall may might ought be being get gets getting going needs mine"),
    decided=phrases("decide | decided | decision | decisions | agree on | agreed on | agreed | conclude | settle on"),
    last=words("last lately latest recently previous"),
    next=words("next upcoming"),
    over=words("did was were had met saw seen"),
    toward=words("to into"),
    away=words("from"),
    heard=words(
        "write wrote written hear heard reply replied message email mail text texted contact contacted call talk talked"
        " speak spoke spoken"
    ),
    hears=words("hear heard"),
    meet=words("see meet meeting seeing met saw seen appointment catch talk speak next have"),
    meeting=words("meeting appointment session"),
    attend=words(
        "attend attends attending invited coming comes come join joins joining present participants participates there"
    ),
    phone=phrases("phone | phone number | number | mobile | mobile number | cell | cell number | telephone | tel"),
    email=phrases("email | e-mail | email address | e-mail address | mail address | mail"),
    still_on=phrases("still on | happening | still happening | taking place | still planned | going ahead"),
    called_off=phrases("cancelled | canceled | called off"),
    yes_no=words("did do does have has had is are was were will am should must"),
    past=words("did have has had was were already"),
    filler=words(
        """
        re regarding concerning
        the a an of for to in on at by from with about and or it its it's is are was were be been being am do does did
        have has had will would can could shall me my mine us our you your this that these those there here what what's
        whats which some something any anything anyone anybody someone somebody all still yet already now again
        just please pls plz tell know remind say show give let so hey hi hello ok thanks date day dates time exactly
        currently right up get got getting going go done did's up else much more i'm i've as soon we've any's next
        latest current people person everyone everybody one
        """
    ),
    attributes=pairs(
        """
        begin begins begun start starts starting kick: start | end ends ending finish finishes over expire expires:
        end | close closes closing: closing end | open opens opening: opening start | arrive arrives delivered
        deliver delivers delivery: delivery | due deadline: deadline | cost costs price pay expensive: price cost
        fee rate rent total offer deposit | fee: fee price | paid: fee rate salary total | launch launches live:
        date start
        """
    ),
    wording=dict(
        you_owe="You promised {names}: {what}",
        quoted="\u201c{words}\u201d",
        your_task="On your list: {what}",
        owed_to_you="{owner} promised you: {what}",
        asked_of_you="{names} asked you: {what}",
        asked_by_you="You asked {names}: {what}",
        others="{owner} promised {names}: {what}",
        alone="{owner} said: {what}",
        you_alone="You said: {what}",
        due=", due {day}",
        overdue=", was due {day}",
        due_before=", due before {day}",
        delivered=", done {day}",
        done=", done",
        declined=", declined",
        taken_back=", taken back",
        withdrawn=", no longer needed",
        condition=", if {condition}",
        fact="{subject}: {value}",
        since=", since {day}",
        replaced=", replaced {value}",
        disputed="{subject}: {sides}",
        side="{who} said {value} ({day})",
        side_you="you said {value} ({day})",
        side_nobody="one record says {value} ({day})",
        change="{subject}: {after} now, {before} before ({day})",
        meeting="{title}: {day}",
        meeting_undated="{title}",
        attendees=", with {names}",
        cancelled="{title} on {day} was cancelled",
        contact="{name}: {value}",
        heard="{name}: last message on {day}",
        decided="Decided on {day}: {what}",
        said_by="{text}, said {who}",
        yes="Yes. {text}",
        no="No. {text}",
        no_word="No word of that yet. {text}",
        conjunction="and",
        day="{day} {month} {year}",
        at="{day}, {time}",
        you="you",
    ),
    names=pairs(
        """
        date: date | deadline: deadline | start: start | end: end | delivery: delivery | opening: opening | closing:
        closing | budget: budget | price: price | cost: cost | fee: fee | rent: rent | deposit: deposit | salary:
        salary | discount: discount | phone: phone | email: e-mail | version: version | rate: rate | target: target
        | capacity: capacity | revenue: revenue | margin: margin | total: total | offer: offer | size: size
        """
    ),
)
