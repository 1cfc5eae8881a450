"""English."""

from consumer.understanding.languages.words import HOUR, DateWords, Words, combined, numbered, phrases, verbs, words

DATES = DateWords(
    months=numbered(
        "january jan | february feb | march mar | april apr | may | june jun | july jul | august aug"
        " | september sept sep | october oct | november nov | december dec"
    ),
    weekdays=numbered("monday | tuesday | wednesday | thursday | friday | saturday | sunday", 0),
    short_weekdays=numbered("mon | tue tues | wed weds | thu thur thurs | fri | sat | sun", 0),
    days={
        "today": 0,
        "tonight": 0,
        "tonite": 0,
        "tomorow": 1,
        "tomarrow": 1,
        "tommorrow": 1,
        "tommorow": 1,
        "this morning": 0,
        "this am": 0,
        "this eve": 0,
        "this pm": 0,
        "this afternoon": 0,
        "this evening": 0,
        "tomorrow": 1,
        "the day after tomorrow": 2,
        "day after tomorrow": 2,
        "later today": 0,
        "later in the day": 0,
        "later this morning": 0,
        "later this afternoon": 0,
        "later this evening": 0,
        "tmrw": 1,
        **dict.fromkeys(("tmr", "tmw", "tomoz", "2moro", "2morrow", "tommorow", "tomorow", "tommorrow"), 1),
        "over the next week": 7,
        "within the next week": 7,
        "during the next week": 7,
        "in the next week": 7,
    },
    day_ends=phrases("end of the day|end of day|eod|cob|close of business|close of play|end of business"),
    parts=phrases(
        """
        first thing in the morning | in the morning | in the afternoon | in the evening | morning | afternoon |
        evening | night | am | pm | a.m. | p.m.
        """
    ),
    coming=phrases("this coming|coming|this"),
    following=phrases("next"),
    coming_after=(),
    past=phrases("last|past"),
    past_after=phrases("ago"),
    no_dates=phrases(
        """
        first thing |
        in the morning | in the afternoon | in the evening | good morning | good afternoon | good evening |
        yesterday | these days | black friday | some day
        """
    ),
    this_week=phrases("this week|eow"),
    later_week=phrases(
        """
        later this week | later in the week | later on this week | in the course of the week | over the course
        of the week | during the week
        """
    ),
    next_week=phrases("next week|sometime next week"),
    this_month=phrases("this month|eom|month's end|month-end|month end|the month's end"),
    next_month=phrases("next month"),
    weekend=phrases("this weekend|the weekend|weekend"),
    end_of=phrases("the end of the|end of the|the end of this|end of this|the end of|end of"),
    periods={"week": "w", "month": "m", "quarter": "q", "year": "y", "next week": "nw", "next month": "nm"},
    year_end=phrases("year end|year-end|the year end|year's end"),
    ahead=phrases("in the next|within the next|in|within"),
    ahead_after=phrases("from now|from today"),
    units={
        "day": 1,
        "days": 1,
        "week": 7,
        "weeks": 7,
        "fortnight": 14,
        "fortnights": 14,
        "fortnight's time": 14,
        "month": -1,
        "months": -1,
        "hour": HOUR,
        "hours": HOUR,
        "minutes": 0,
        "weeks' time": 7,
        "days' time": 1,
        "week's time": 7,
        "weeks time": 7,
    },
    before_month=phrases("in|by|before|until"),
    joints=phrases("of|the|on"),
    times={
        "noon": "12:00",
        "midday": "12:00",
        "mid-day": "12:00",
        "midnight": "23:59",
        "lunchtime": "12:00",
        "lunch": "12:00",
    },
    at=phrases("at|by|before|around|from"),
    hours=phrases("o'clock"),
    afternoon=(),
    mornings=phrases("morning"),
    afternoons=words("afternoon"),
    evenings=words("evening tonight night"),
    by=phrases(
        """
        by | until | till | before | no later than | not later than | at the latest by | due | due on | due by |
        latest by
        """
    ),
    before=words("before"),
    on=phrases("on|this|for|at|in"),
    of=phrases("of|from|since|starting|beginning|effective|as of|after|the|last|'s|dated|back on|back in"),
    never=phrases("not|except|instead of|rather than|not before|not until|free|available|another|possible"),
    month_first=True,
    twelve_hours=True,
    day_of_month=phrases("the"),
    day_of_month_after=phrases("st|nd|rd|th"),
    week_later=phrases("week"),
    counted_from=phrases("from|after"),
    middle_of=phrases("mid|the middle of|middle of"),
    first_of=phrases("the first of|first of"),
    second_next_after=phrases("after next"),
    week_after_next=phrases("the week after next|week after next"),
)

WORDS = Words(
    code="en",
    dates=DATES,
    short={"w": "with", "thru": "through"},
    other_numbers={"a": 1, "an": 1, "a couple of": 2},
    abbreviations=phrases(
        """
        amb | conf | sen | hon | asst | adm | cdr | maj |
        dr | mr | mrs | ms | prof | st | vs | etc | e.g | i.e | no | inc | ltd | co | corp | approx | jan | feb |
        mar | apr | jun | jul | aug | sep | sept | oct | nov | dec | mon | tue | wed | thu | fri | sat | sun |
        a.m | p.m | fig | ave | gen | rev | sr | jr | capt | u.s | u.k | est | dept | pp |
        messrs | gov | lt | sgt | esq | attn |
        resp | incl | excl | encl | ext | cf | bldg | blvd | vol | ref | p | tel | dir | rep
        """
    ),
    common=words(
        """
        the and of to is are was will i you your we it for with this that have has be not in on by my our can
        i'll at please thanks from but do if or an about me us they he she its as
        """
    ),
    grouping=",",
    scales={
        "k": 1_000,
        "thousand": 1_000,
        "m": 1_000_000,
        "mn": 1_000_000,
        "mio": 1_000_000,
        "million": 1_000_000,
        "millions": 1_000_000,
        "bn": 1_000_000_000,
        "billion": 1_000_000_000,
        "lakh": 100_000,
        "lakhs": 100_000,
        "crore": 10_000_000,
        "crores": 10_000_000,
    },
    currencies={
        "euro": "EUR",
        "euros": "EUR",
        "dollar": "USD",
        "dollars": "USD",
        "bucks": "USD",
        "pound": "GBP",
        "pounds": "GBP",
        "francs": "CHF",
        "yen": "JPY",
        "pounds sterling": "GBP",
        "rupee": "INR",
        "rupees": "INR",
    },
    counted={
        "seat": "seat",
        "seats": "seat",
        "person": "person",
        "people": "person",
        "persons": "person",
        "user": "user",
        "users": "user",
        "customer": "customer",
        "customers": "customer",
        "engineer": "engineer",
        "engineers": "engineer",
        "employee": "employee",
        "employees": "employee",
        "guest": "guest",
        "guests": "guest",
        "attendee": "attendee",
        "attendees": "attendee",
        "licence": "licence",
        "licences": "licence",
        "license": "licence",
        "licenses": "licence",
        "unit": "unit",
        "units": "unit",
        "day": "day",
        "days": "day",
        "week": "week",
        "weeks": "week",
        "month": "month",
        "months": "month",
        "year": "year",
        "years": "year",
        "hour": "hour",
        "hours": "hour",
        "minute": "minute",
        "minutes": "minute",
        "km": "km",
        "kg": "kg",
        "gb": "gb",
        "tb": "tb",
        "page": "page",
        "pages": "page",
        "store": "store",
        "stores": "store",
        "site": "site",
        "sites": "site",
        "member": "member",
        "members": "member",
        "room": "room",
        "rooms": "room",
        "copy": "copy",
        "copies": "copy",
        "m²": "m2",
        "sqm": "m2",
        "hires": "hire",
        "hire": "hire",
    },
    percent=phrases("%|percent|per cent|pct"),
    verbs=verbs(
        """
        send - sent
        email - emailed
        e-mail - e-mailed
        mail - mailed
        fax - faxed
        text - texted
        message - messaged
        shoot - shot
        slack - slacked
        dm - dmed
        forward - forwarded
        share - shared
        submit - submitted
        upload - uploaded
        deliver - delivered
        ship - shipped
        courier - couriered
        fedex - fedexed
        overnight - overnighted
        return - returned
        post - posted
        publish - published
        circulate - circulated
        distribute - distributed
        drop - dropped
        bring - brought
        hand - handed
        provide - provided
        supply - supplied
        give - given/gave
        get - got
        review - reviewed
        check - checked
        double-check - double-checked
        verify - verified
        confirm - confirmed
        approve - approved
        sign - signed
        read - -
        proofread - proofread
        test - tested
        investigate - investigated
        research - researched
        analyze - analyzed
        analyse - analysed
        evaluate - evaluated
        compare - compared
        collect - collected
        gather - gathered
        book - booked
        reserve - reserved
        schedule - scheduled
        reschedule - rescheduled
        arrange - arranged
        organize - organized
        organise - organised
        plan - planned
        set - -
        cancel - cancelled/canceled
        renew - renewed
        order - ordered
        buy - bought
        purchase - purchased
        pay - paid
        transfer - transferred
        refund - refunded
        invoice - invoiced
        reimburse - reimbursed
        call - called
        phone - phoned
        ring - -
        contact - contacted
        ask - asked
        tell - -
        remind - reminded
        inform - informed
        notify - notified
        invite - invited
        introduce - introduced
        connect - connected
        meet - -
        draft - drafted
        write - written/wrote
        prepare - prepared
        create - created
        design - designed
        build - built
        make - -
        put - -
        compile - compiled
        translate - translated
        transcribe - transcribed
        edit - edited
        correct - corrected
        revise - revised
        rewrite - rewritten/rewrote
        update - updated
        fix - fixed
        repair - repaired
        resolve - resolved
        implement - implemented
        install - installed
        configure - configured
        deploy - deployed
        migrate - migrated
        merge - merged
        release - released
        finish - finished
        finalize - finalized
        finalise - finalised
        complete - completed
        close - closed
        clean - cleaned
        print - printed
        scan - scanned
        file - filed
        register - registered
        request - requested
        negotiate - negotiated
        present - presented
        fill - filled
        pick - picked
        add - added
        remove - removed
        delete - deleted
        archive - archived
        document - documented
        summarize - summarized
        summarise - summarised
        record - recorded
        cook - cooked
        bake - baked
        replace - replaced
        adjust - adjusted
        reconcile - reconciled
        settle - settled
        resend - resent
        reply - replied
        answer - answered
        explain - explained
        outline - outlined
        sketch - sketched
        attach - attached
        export - exported
        import - imported
        download - downloaded
        restore - restored
        reset - -
        restart - restarted
        clear - cleared
        tidy - tidied
        paint - painted
        assemble - assembled
        mount - mounted
        move - moved
        load - loaded
        pack - packed
        wrap - wrapped
        grab - grabbed
        fetch - fetched
        lend - lent
        swap - swapped
        extend - extended
        host - hosted
        cover - covered
        chase - chased
        ping - pinged
        nudge - nudged
        escalate - escalated
        log - logged
        report - reported
        flag - flagged
        measure - measured
        count - counted
        calculate - calculated
        estimate - estimated
        bill - billed
        wire - wired
        countersign - countersigned
        copy - copied
        show - showed/shown
        train - trained
        brief - briefed
        interview - interviewed
        polish - polished
        format - formatted
        shorten - shortened
        rename - renamed
        locate - located
        find - found
        secure - secured
        water - watered
        nominate - nominated
        appoint - appointed
        disclose - disclosed
        supervise - supervised
        monitor - monitored
        """
    ),
    undertaking=phrases(
        """
        leave you | hand deliver | hand-deliver | revert with | revert to you with | come back with | circle back with |
        circle back to you with | get back with | be back with | let you have | let u have | let them have |
        take care of | follow up with | follow up on | follow up about | look into | take a look at |
        have a look at | look at | talk to | talk with | speak to | speak with | reach out to | set up | write up |
        turn in | send in | mail in | hand back | look over |
        follow with | go through | go over | work on | deal with | handle | get back to you on | get back to you with |
        get back to you about | check with | check in with | come back to you with | let you know about | see to |
        sort out | draw up | put together | fill in | fill out | pick up | drop off | hand over | hand in |
        clean up | prepare for | arrange for | apply for | pay for | chase | pay back | send over | send out |
        send back | send off | pass on | dig out | dig up | look up | track down | write down | note down |
        bring along | bring back | bring over | take over | take on | call back | ring back | get back to |
        get in touch with | come back to | catch up with | follow up | print out | hand out | map out | work out |
        figure out | find out | check on | ask around about | ask about | chase up | set aside | put up |
        take down | clear up | finish up | wrap up | finish off | type up | type out | read through | read over |
        run by | pass along | forward on | pay off | order in | stand in for | fill in for
        """
    ),
    will=combined(
        "our | my",
        "team | office | assistant | secretary | staff",
        "will | is going to",
    )
    + phrases(
        """
        i'll | i will | we'll | we will | i am going to | i'm going to | we're going to | we are going to |
        i'm gonna | i promise to | i promise i'll | i promise that i'll | i promise i will | i shall | we shall |
        i commit to | we commit to | i'll be sure to | i'll make sure to |
        i will make sure to | i'll go ahead and | i'll also | i agree to | ill | im gonna |
        im going to | we're gonna | ima | imma | we are gonna | i'll try and get | i'll just | i'll then |
        i'll personally | i'll quickly | i do promise to
        """
    ),
    must=phrases(
        """
        i need to | i have to | i still need to | i still have to | we still need to |
        we still have to | i must | i can | we can | let me |
        we need to | we have to | i'm supposed to | i've got to | i could | i'll have to | i will have to |
        we'll have to | we will have to | i plan to | we plan to | i expect to | we expect to | i intend to |
        we intend to
        """
    ),
    you_get=phrases(
        """
        you'll have | you will have | you'll get | you will get | you'll receive | you will receive |
        you shall have | you'll be getting | you can expect | you should have | count on having |
        count on getting | you can count on having | i'll make sure you get | i'll make sure you have |
        i'll make sure you receive | i will make sure you get | i will make sure you have | i'll see that you get |
        i'll see to it that you get | i'll see to it that you have | you'll find | you're getting
        """
    ),
    from_me=phrases("from me|from us"),
    third=phrases(
        """
        will | 'll | to | takes the action to | took the action to | is going to | has agreed to | promised to |
        has promised to | agreed to
        """
    ),
    subjects=phrases("i|we"),
    negation=words(
        """
        not no never nothing nobody none neither nor won't can't cannot don't didn't doesn't haven't hasn't
        isn't wasn't wouldn't shan't couldn't shouldn't hardly barely without
        """
    )
    - {"without"},
    condition=phrases(
        """
        if | unless | provided | provided that | assuming | in case | as long as | once | as soon as | when |
        whenever | only if | after | until
        """
    ),
    asking=words("check ask confirm verify investigate tell see know"),
    hedges=words(
        """
        probably maybe perhaps might possibly hopefully try pretend bet eventually someday one-day
        """
    ),
    fronting=words(
        """
        ok okay yes yep yeah sure thanks thank you sorry so then also and but great perfect alright right well no
        problem of course absolutely definitely understood agreed hi hello hey dear all everyone team anyway
        meanwhile fine cool good noted will do got it instead otherwise however as discussed promised mentioned by
        on in the for at before later first next after that this fyi ps p.s again just quick update note my part
        personally happy to help worries not a np from end because i yes- thx ty yo
        """
    ),
    conjunctions=words("and then or"),
    contrast=words("but however though although while whereas so plus"),
    subordinate=words(
        """
        because since so which that who whom whose where while although though as when if once unless until
        after before whether to in for
        """
    )
    - {"in", "for", "to", "before", "until", "after", "since"},
    articles=words(
        """
        the a an my our your his her their its this that these those all some any both another every
        """
    ),
    pronouns=words(
        """
        i you me us we it them him her they he she myself yourself ourselves everyone everybody all y'all u
        """
    ),
    pronoun_objects=words("it this that them these those one something everything anything so what things stuff"),
    you=words("you u ya"),
    prepositions=words(
        """
        of for to in on at with from by about over into via through under between against without within after
        before until till during per as around regarding concerning re than upon off up out down back
        """
    ),
    adverbs=words(
        """
        accordingly anytime
        anymore beforehand online electronically l8r longer soon asap shortly now then later immediately again also
        just still already definitely
        certainly surely gladly happily personally quickly right away too over across back out up off down along through
        straight directly today first please instead anyway separately as promised discussed requested usual well
        possible latest due no than ready done finished once finally indeed absolutely simply ahead here there next
        only really actually always currently hereby promptly maybe yet more btw further anyways
        """
    ),
    to=words("to with for"),
    recipient=words("to"),
    me=words("me us"),
    weak=words(
        """
        make put set ring meet tell read give plan present print cook bake close clean record add remove get fill
        pick hand compare have move cover show find count swap lend wrap report
        """
    ),
    casual=phrases(
        """
        check messages | check my messages | check voice mail | check voicemail | check email | check my email |
        check my emails | check my e-mail | check my e-mails | check emails |
        check mail | check out | check it out | check that out | check this out | check them out | check some out |
        pay the price |
        check those out | check you out | give it a try | give that a try | look into it | look into that
        """
    ),
    offers=words(
        """
        questions question problem problems trouble concerns concern want prefer interested wish difficulties like
        unable need rather
        """
    ),
    help=words(
        """
        information info details detail assistance help inquiries enquiries queries reservations questions question
        concerns need needs require problem problems doubt
        """
    ),
    courtesy=words("works can could chance time moment minute mind get"),
    contacting=phrases("contact | call | email | e-mail | visit | see | reach | refer | write | dial | feel"),
    sending=words("send resend email e-mail mail forward submit circulate upload sending emailing forwarding"),
    doubt=words("if"),
    states=words("is are isn't aren't was be feels tastes looks"),
    suits=words(
        """
        ok okay fine alright right possible necessary needed required useful helpful ready available
        free missing complete late wrong correct that convenient agreed happy
        """
    ),
    at_once=phrases(
        """
        give | bring | show | pass | hand | hold | repeat | open | close | put | take | fill | fasten |
        remove | buckle | speak | slow | plug | outline | confirm | clarify | mention | assure | agree | comment |
        elaborate | determine | analyse | analyze | identify | define | turn | direct | call me
        """
    ),
    staging=frozenset(
        phrases(
            """
            look at | take a look at | have a look at | go through | go over | answer | finish | repeat |
            explain | show | present | read |
            """
            """
            start | move | go | give | put | cover | talk to | talk with | speak to | come back to | get back to |
            work out | add | outline |
            """
            "summarize|summarise|write down|note down|read through|wrap up|finish up|finish off|hand over|remind|"
            "note|turn to|come to|hand"
        )
    ),
    acquiring=words("buy get order purchase grab fetch pick cook bake eat"),
    us=words("we we'll we're we've"),
    for_self=words("myself ourselves"),
    vague=phrases(
        "any time you|anytime you|whenever you|"
        "with luck|with any luck|with a bit of luck|each month|each week|each day|"
        "each quarter|each year|each time|per session|periodically|from time to time|"
        """
        as needed|as the need arises|on a regular basis|regularly|next time|some day|someday|one day|
        in the future|sometime|one of these days|eventually
        """
    ),
    questioning=words("how why when where what who which"),
    chatting=words("more about why how"),
    telling=phrases("tell | show | explain | describe | suggest | recommend | fill me in"),
    giving=words(
        """
        send resend bring pay forward return deliver submit mail email share drop hand give lend ship transfer refund
        book order sign call phone fetch collect finish file upload post print scan review
        """
    ),
    elision=False,
    polite=phrases(
        """
        thanks | thank you | many thanks | thanks a lot | thanks so much | cheers | thx | thanks again | great |
        perfect | ok | okay | hi | hello | hey | yes | sorry | all good | no worries | yep | good | hi all |
        hi there | we're all set | all set | sorry for the delay | apologies for the delay | much appreciated
        | no | unfortunately | thank you very much | thank you so much | thx so much |
        ty | tysm | cool | awesome | lovely | brilliant | in the end
        """
    ),
    idle=words(
        """
        shout holler hint row
        up-to-speed
        judgement judgment
        screen best thought thoughts mind time moment minute second sec luck word words eye eyes guess love regards
        wishes greetings attention break nap coffee tea lunch dinner breakfast beer drink tv movie game bed try shot
        drinks beverage pint
        go shower camera mic microphone mute video door window windows tab laptop phone fingers chat way sense
        difference exception fun mistake mistakes sleep rest care money joke exercise life world day hand hands head
        benefit doubt credit week night hug hugs kiss kisses condolences thanks apologies bridge bullet dust hope
        truth little bit mess fuss fool fortune seat questions question doubts
        importance calendar calendars diary opportunity hour hours kudos chance effort efforts light reason someone
        somebody anyone anybody possibility possibilities
        """
    ),
    will_alone=phrases(
        """
        will | gonna | going to | will also | will then | will just | off to
        """
    ),
    soon=words(
        """
        later soon shortly now
        """
    ),
    from_others=words(
        """
        from
        """
    ),
    undertaken=phrases(
        """
        i told | i've told | i have told | i agreed | i've agreed | i have agreed | i committed | i've
        committed | i have committed | i assured | i have assured | i've assured | we promised | we've
        promised | we have promised | i undertook | i have undertaken | i've undertaken
        """
    ),
    promised=phrases(
        """
        i promised | i've promised | i have promised | i owe | i still owe | we owe | we still owe
        """
    ),
    idle_verbs=words(
        """
        thank greet congratulate pardon chalk
        be have hear see feel smell taste believe imagine guess think know understand remember recall like love hate
        want need hope wish stay wait come go leave live sleep eat drink swim drive ride walk run sing dance play
        speak talk happen seem become note find enjoy accept excuse forgive bear keep join stop mind let make try
        help watch listen laugh cry relax trust stand sit care manage afford bring-up handle say do tell give put
        set get use start begin rest welcome advise forget remain expect stick hang hold allow permit
        sense ignore disregard agree consider recognise recognize realize realise ensure insure assume follow encourage
        """
    ),
    reported=words(
        """
        said says say go asked asks wrote writes told replied goes went answered quote claimed promised
        """
    ),
    habits=words(
        """
        every always usually normally often sometimes mostly generally typically
        """
    ),
    remind=phrases(
        """
        don't forget to | dont forget to | do not forget to | please don't forget to | remember to |
        please remember to | make sure to | please make sure to | be sure to | please be sure to | make sure you |
        please make sure you | a reminder to | reminder to |
        don't forget | dont forget | please don't forget | i need you to |
        let's not forget to
        """
    ),
    missing=phrases(
        """
        still without | waiting for | still waiting on | missing | haven't received | have not received |
        haven't got | haven't seen | looking for
        """
    ),
    have_you=phrases(
        """
        did you | did u | have you | have u | did you already | have you already | did ya
        """
    ),
    happens={
        "will start on": "start",
        "will now start on": "start",
        "will begin on": "start",
        "now starts on": "start",
        "now starts at": "start",
        "now starts": "start",
        "now begins on": "start",
        "will arrive on": "delivery",
        "will now arrive on": "delivery",
        "will be delivered on": "delivery",
        "now arrives on": "delivery",
        "starts on": "start",
        "starts": "start",
        "start on": "start",
        "start": "start",
        "begins on": "start",
        "begins": "start",
        "begin on": "start",
        "kicks off on": "start",
        "kicks off": "start",
        "goes live on": "start",
        "goes live": "start",
        "launches on": "start",
        "launches": "start",
        "opens on": "opening",
        "opens": "opening",
        "now opens": "opening",
        "ends on": "end",
        "ends": "end",
        "finishes on": "end",
        "finishes": "end",
        "closes on": "closing",
        "closes at": "closing",
        "closes": "closing",
        "now closes": "closing",
        "now closes at": "closing",
        "expires on": "end",
        "expires": "end",
        "runs until": "end",
        "runs out on": "end",
        "takes place on": "date",
        "happens on": "date",
        "arrives on": "delivery",
        "is due on": "deadline",
        "is due by": "deadline",
        "is due": "deadline",
        "are due on": "deadline",
    },
    received_end=phrases(
        """
        received | came through | received safely |
        arrived | has arrived | have arrived | just arrived | came through fine | arrived safely |
        has come in | have come in | came in
        """
    ),
    declined_end=phrases(
        """
        is not possible for me | won't work for me | is too much for me
        """
    ),
    elliptic=words(
        """
        pay send bring sign book order submit return forward mail email
        """
    ),
    could=phrases(
        """
        could
        """
    ),
    thanked=words(
        """
        patience understanding help support time evening day afternoon weekend call callback reply response answer
        meeting visit trip ride hospitality effort efforts work feedback advice tip hint trust interest kindness
        attention cooperation chat talk invitation heads-up update reminder flexibility company welcome conversation
        lift
        """
    ),
    ask_infinitive=(
        *phrases(
            """
            i need you to | i need for you to | i'd like you to | we need you to | i want you to |
            i would like you to | are you able to | i am requesting that you | i'm requesting that you |
            i ask that you | i request that you |
            could you possibly | would you be able to | might you be able to | could you also | can you also |
            can you maybe | could you perhaps | could you just | can you just | can you quickly | could you quickly |
            would you be so kind as to | would you be kind enough to | would you be willing to | would you consider |
            would you mind | would you also mind | do you mind | mind | can u | could u | would u | can ya | could ya |
            do you think you could | any chance you could | would it be possible for you to | you couldn't |
            can someone | could someone | would someone | can anyone | could anyone | can anybody | can somebody |
            could somebody | can one of you | could one of you | grateful if you could | wondering if you could |
            have you had a chance to | have you had the chance to | have you had time to |
            did you get a chance to | did you get the chance to
            """
        ),
        *combined("can | could | would | will", "you", "- | please | kindly"),
        *combined("is there | -", "any way | anyway | a way", "you | for you | that you", "could | can | to"),
        *combined("may | can | could | might", "i | we | i just", "ask | beg", "you to | that you | if you could"),
        *combined("i'd | i would | we'd | we would", "like to | -", "ask", "you to | that you"),
        *combined("i'd | i would | we'd | we would", "like | love | very much like", "to invite you to | you to"),
        *combined("i | we", "must | have to | -", "ask | kindly ask | request | kindly request", "you to | that you"),
        *combined("can i | can we | could i | could we", "get you to"),
        *combined(
            "i | we", "was | were | am | are", "wondering | just wondering", "if | whether", "you", "could | would"
        ),
        *combined("i'm | we're | just | -", "wondering", "if | whether", "you", "could | would | might"),
        *combined("i | we", "wonder", "if | whether", "you", "could | would | might"),
        *combined(
            "i'm | i am | we're | we are | i was | we were | was", "hoping", "you | that you", "could | can | would"
        ),
        *combined("i | we", "hope", "you will | you'll", "agree to | consent to"),
        *combined(
            "it would | it'd | that would | would",
            "be",
            "great | good | nice | lovely | helpful | very helpful | wonderful | fantastic | amazing | perfect | best",
            "if you",
            "could | can | would",
        ),
        *combined(
            "i'd | i would | we'd | we would | would",
            "be | be very | be most | be so | be really",
            "grateful | honored | honoured | delighted | glad | happy | pleased | obliged | thankful",
            "if you",
            "could | can | would | -",
        ),
        *combined("most grateful | very grateful | grateful | much obliged | obliged", "if you", "could | can | would"),
        *combined(
            "i'd | i would | we'd | we would | i'd really | i would really | we'd really | would",
            "appreciate it | appreciate | very much appreciate it",
            "if you",
            "could | can | would | -",
        ),
        *combined(
            "it would | it'd | would",
            "help | help me | help us | help a lot | mean a lot | mean a lot to me | mean a lot to us",
            "if you",
            "could | can | would",
        ),
        *combined("when | how soon | by when", "can | could | will", "you"),
        *combined("when | how soon", "would you be able to | do you think you can"),
        # Only before thanks: "if you could send them, that would be great".
        *combined("if you", "could | can | would", "- | please | just"),
    ),
    ask_duty=(
        *combined("you", "must | have to | need to | will need to | will have to"),
        *combined("you'll", "need to | have to"),
        *combined("perhaps | maybe", "you", "could | can"),
    ),
    imperatives=phrases(""),
    please=phrases(
        """
        please | pls | plz | kindly | pretty please
        """
    ),
    accepted=phrases(
        """
        will do | i will do | sure | sure thing | sure, will do | sure will do | yes, will do | ok, will do |
        okay, will do | of course | of course, will do | no problem | consider it done | i'm on it | on it |
        i'll do that | i'll do it | i will do that | i will do it | yes, i'll do that | yes, i will | yes i will |
        happy to | happy to do so | gladly | absolutely | i'll take care of it | i'll take care of that |
        i'll handle it | i'll handle that | will take care of it | you got it | can do | no problem, will do |
        sure, no problem | ok, i'll do that | sure, i'll do that | sure, i will | i can do that |
        yes, i can do that | sure, i can do that | got it, will do | deal | leave it to me | with pleasure |
        yes, on it | i'm on that | i'll take that | i'll take it | i'll take this one | i'll take this |
        i got it covered | i've got this | i got this | will take care of that | happy to do that | happy to do it |
        happy to take that | glad to | sounds good, will do | okay i'll do that | ok i'll do it |
        i will take care of it | i will take care of that | i'll get it done | i'll get on it | i'll get on that |
        i'll get right on it | getting on it | i'll sort it | i'll sort that | i'll see to it | yes of course |
        sure can | for sure | certainly | definitely | you can count on me | count on me | count me in |
        consider it sorted | i'll be on it | on my list | i'll pick that up | i'll pick it up | i can take that |
        i can take it | i can take this one | leave that to me | will sort it | will handle it | i can do it |
        i'd be happy to | i'd love to | yes, happy to | no worries, will do | will get it done
        """
    ),
    declined=phrases(
        """
        no idea | no idea sorry | sorry no idea | i have no idea | no clue |
        i can't | i cannot | sorry, i can't | no, sorry | i won't be able to | i'm afraid i can't |
        unfortunately i can't | i can't do that | i won't do that | i can't make it | i'm afraid not |
        i have to decline | no, i can't | i must decline | not possible for me | sorry, no | i'd rather not |
        sorry, i won't be able to | sorry, i can't do that | unfortunately not | i have to pass | sorry, can't do |
        can't, sorry | cannot, sorry | no can do | i can't this time | won't work for me | i'm not able to |
        i'll have to pass | can't do it | i can't do it | don't have time for it | i have to say no |
        that's not possible | that is not possible | that isn't possible | i'm afraid that's not possible |
        i'm afraid that is not possible | i'm afraid it's not possible | unfortunately that's not possible |
        sorry, that's not possible | i'm afraid that won't be possible | that won't be possible
        """
    ),
    received=phrases(
        """
        received | received, thanks | got it | got it, thanks | got it, thank you | received with thanks |
        all received | arrived | it arrived | it has arrived | it arrived, thanks | has arrived, thanks |
        received, thank you | well received | thanks, got it | thanks, received | got them | got them, thanks |
        got everything | all arrived | received it | i got it | i received it | thanks, received it | thx, got it |
        it came, thanks | it's here, thanks | they arrived | came through, thanks
        """
    ),
    released=phrases(
        """
        no longer needed | not needed anymore | not needed any more | never mind | nevermind | forget it |
        forget about it | it's no longer needed | that's no longer needed | this is no longer needed |
        no longer necessary | it's not needed anymore | no need anymore | no need any more | don't bother |
        i don't need it anymore | we don't need it anymore | i no longer need it | we no longer need it |
        you don't need to anymore | not necessary anymore | no longer required | no need, thanks | nvm | nm |
        nvm, sorted | never mind then | all sorted now | it's sorted now | already sorted | sorted now |
        we're good now | no need now | no longer necessary, thanks | scratch that | disregard | please disregard |
        you can ignore it | ignore that | ignore my last message | it's off | not needed after all |
        please don't | no need | there's no need | you don't have to | you don't need to | that's not necessary |
        that won't be necessary |
        no need after all |
        it's no longer necessary | it is no longer necessary | it is no longer needed | that is no longer needed |
        that's no longer necessary | this is no longer necessary | it's no longer required |
        it's not necessary anymore | it's not needed any more | it isn't needed anymore | it isn't needed any more |
        don't worry about it anymore | don't worry about it any more | don't bother with it | don't bother with that
        """
    ),
    done=phrases(
        """
        done | all done | done! | it's done | that's done | sent | just sent | just sent it | sent it | i sent it |
        i've sent it | i just sent it | i've done it | i did it | finished | shipped | delivered | booked | paid |
        it's sent | it's on its way | signed and sent | done and sent | taken care of | done, see attached |
        already done | done already | that's sorted | it's sorted | already sent | i already did it |
        i already did | all finished | already paid | already booked | sorted | i've just sent it | sent just now |
        did it | attached | it's attached | attached now |
        all sent | here it is | here they are | here you go | here you are | both sent | everything sent |
        please see attached | see attached | please find it attached | it is attached | i've attached it |
        i've sent it to you | i've just sent it to you | i just sent it to you | i sent it to you |
        just sent it to you | sent it to you | i've sent it over | i've just sent it over | just sent it over |
        i've emailed it to you | i've just emailed it to you | i've sent them to you | i've just sent them to you
        """
    ),
    declined_begin=phrases(
        """
        i can't | i cannot | i won't be able to | i won't | unfortunately i can't | unfortunately, i can't |
        sorry, i can't | i'm afraid i can't | i'm afraid i won't be able to | i am not able to | i'm not able to |
        we can't | we won't be able to | i'm not going to | i am not going to | i will not | i couldn't |
        i'm unable to | i am unable to | we are unable to | i don't have time to | i don't have the time to |
        i don't have capacity to | i have to pass on | i must decline | i have to decline | i'll have to pass on |
        i won't have time to | i won't manage to | can't
        """
    ),
    received_begin=phrases(
        """
        confirming receipt of | i confirm receipt of | we confirm receipt of | i acknowledge receipt of |
        we acknowledge receipt of | i received | i've received | i have received | i got | i've got | we
        received | we've received |
        we have received | thanks for sending | thank you for sending | thanks for sending over | received the |
        got the | many thanks for sending | thanks for the | thank you for the | thanks for your |
        thank you for your | got your | got all the | thanks for forwarding | thank you for forwarding |
        received your | received all | just received | i've just received | i just received | i just got |
        many thanks for the | many thanks for your | thanks a lot for the | thanks a lot for your |
        thank you very much for the | thank you so much for the | thanks so much for the
        """
    ),
    released_begin=phrases(
        """
        hold off on | please hold off on |
        let's scrap | let's drop | let's skip | let's forget about | ignore my request for |
        please ignore my request for | forget my request for | please forget my request for |
        no need to send | no need for | you don't need to | you don't have to | we don't need | we no longer need |
        i no longer need | i don't need | no longer need | no need to | there is no need to | there's no need to |
        forget about | you no longer need to | never mind about | never mind | nvm about | nvm the | nvm |
        never mind about the | please disregard | please ignore | don't worry about | no need to bring |
        no longer a need for | you can forget about | you can skip | you needn't | no need to worry about |
        you can forget | you can drop | you can cancel | you can leave out |
        don't bother with | no need to bother with | scrap | skip the | forget the | forget my | we can drop |
        we can skip | we can scrap |
        we can do without | i can do without |
        please disregard my request for | disregard my request for
        """
    ),
    released_end=phrases(
        """
        is no longer needed | are no longer needed | isn't needed anymore | is not needed anymore |
        no longer needed | is no longer necessary | aren't needed anymore | is no longer required |
        is not needed any more | isn't needed any more | are not needed anymore | aren't needed any more |
        not needed anymore | not needed any more | is off the table | is sorted already | isn't necessary anymore |
        is not necessary anymore | are no longer necessary | are no longer required | can be dropped |
        isn't needed after all | is not needed after all | aren't needed after all | are not needed after all |
        isn't necessary any more | isn't required anymore | isn't required any more | is not required anymore |
        not needed after all | no longer necessary | no longer required | won't be needed anymore |
        won't be needed any more | won't be needed after all | is not needed any longer | isn't needed any longer |
        is no longer wanted
        """
    ),
    attached=phrases(
        """
        see the attached | please see the attached | find the attached | please find the attached | pfa | pfa the |
        please find attached | please find enclosed | attached please find | find attached | attached is |
        attached are | attached you will find | attached you'll find | i attach | i'm attaching | i am attaching |
        i have attached | i've attached | here is | here's | here are | enclosed is | enclosed please find |
        enclosed are | see attached | please see attached | attached | here you go: | here comes |
        as promised, here is | as promised, here's | as promised, here are | as promised, attached is |
        please find below | here you have | enclosed you will find | enclosed you'll find | attached you find |
        here you'll find | here you can find | below is | below are | find enclosed | sending you |
        sending along | sending over |
        you will find ... attached | you'll find ... attached | you find ... attached | please find ... attached |
        find ... attached | please find ... enclosed | attaching |
        please see ... attached | see ... attached
        """
    ),
    attached_end=phrases(
        """
        is attached | are attached | is enclosed | attached | attached below | is in the attachment |
        has been sent | have been sent | is on its way | is done | are done | is finished | is ready | are ready |
        has been booked | is booked | has been paid | is paid | went out | has gone out | have gone out | was sent |
        were sent | was mailed | was paid | has been delivered | was delivered | is sorted | are sorted |
        are booked | are on their way | are paid | was shipped | has shipped | is in your inbox |
        has been uploaded | is uploaded | was submitted | has been submitted | is submitted |
        has been signed and sent | can be found here |
        enclosed
        """
    ),
    have=phrases(
        """
        i have | i've | i have just | i've just | i just | i | we have | we've | we | i already | i have already |
        i've already | we just | we've just | i finally | i've finally | i have now | i've now
        """
    ),
    decided=phrases(
        """
        we decided: | we've decided: | we have decided: | we agreed: | we've agreed: |
        we decided to | we've decided to | we have decided to | we decided on | we decided that |
        we decided: | we have decided: | we've decided: | we agreed: | we've decided that | we've decided on |
        we have decided on | we have decided that | let's go with |
        we're going with | we are going with | we agreed to | we agreed on | we agreed that | we have agreed to |
        we've agreed to | we have agreed on | we've agreed on | decision: | decided: | it was decided to |
        it was decided that | we'll go with | we will go with | i've decided to | i have decided to |
        we settled on | we've settled on | we chose | we picked | we opted for | we've chosen | agreed: |
        i've decided on | we've agreed | we agreed | agreed that | it's decided: | it is decided: |
        it was agreed to | it was agreed that | it's been decided to | it has been decided to |
        it's been agreed to | the decision is to | we're not going to | we will go ahead with |
        we're going ahead with | we've settled for | decided to | agreed to | final decision:
        """
    ),
    copula=phrases(
        """
        is | are | is now | are now | will be | = | was set to | comes to | amounts to | is set at | is set to |
        stands at | is currently | remains at | now is | : | is up to | is down to |
        will cost | costs | is still | now stands at | has been set at | totals | is capped at | adds up to |
        is priced at
        """
    ),
    moved=combined(
        "has been | have been | was | were | is | are | got | is being | will be | had to be | has now been | -",
        """
        moved | changed | postponed | shifted | pushed | pushed back | put back | delayed | brought forward |
        rescheduled
        """,
        "to",
    )
    + combined(
        "has been | have been | has now been | was | is | got | will be | had to be",
        "increased | raised | cut | reduced | lowered | extended | rescheduled",
        "to",
    )
    + combined(
        "has been | have been | has now been | was | is | got | will be | had to be",
        "rescheduled | postponed | extended | delayed",
        "for | until",
    )
    + combined("increased | raised | cut | reduced | lowered | extended", "to")
    + combined(
        "has | have | will | -",
        """
        moved | moves | move | went | changed | changes | change | slipped | slips | slip | shifted | shifts | rose |
        rises | dropped | drops | drop | fell | falls | increased | increases | goes up | went up | go up | gone up |
        going up | goes down | went down | gone down | come down | came down
        """,
        "to",
    )
    + phrases(
        """
        is now on | is now scheduled for | is now planned for | is planned for | is on | will be on |
        is scheduled for | takes place on | will take place on | is held on |
        will be held on | will now be held on | will now take place on | will now be on | is now at | goes live on |
        are now at
        """
    ),
    moving=combined(
        "i | we | i've | we've | i have | we have | i had to | we had to | we're | we are | i'm | i am",
        """
        moved | move | moving | pushed | push | pushing | pushed back | shifted | shift | shifting | postponed |
        postpone | postponing | rescheduled | reschedule | rescheduling | changed | change | changing | delayed |
        brought forward | raised | increased | cut | reduced | extended
        """,
    )
    + combined(
        "has | have | had | has now | have now | has just | have just | -",
        """
        moved | pushed | pushed back | shifted | postponed | rescheduled | changed | delayed | brought forward |
        raised | increased | cut | reduced | lowered | extended
        """,
    ),
    moved_to=words("to until for"),
    attributes={
        "estimate": "offer",
        "opening": "date",
        "beta": "date",
        "rollout": "date",
        "roll-out": "date",
        "hearing": "date",
        "exam": "date",
        "final price": "price",
        "hourly rate": "rate",
        "membership": "fee",
        "ticket": "price",
        "tickets": "price",
        "budget": "budget",
        "price": "price",
        "cost": "cost",
        "costs": "cost",
        "fee": "fee",
        "rent": "rent",
        "deposit": "deposit",
        "down payment": "deposit",
        "salary": "salary",
        "discount": "discount",
        "deadline": "deadline",
        "due date": "deadline",
        "launch date": "date",
        "start date": "start",
        "end date": "end",
        "date": "date",
        "launch": "date",
        "phone": "phone",
        "phone number": "phone",
        "number of seats": "seats",
        "headcount": "headcount",
        "guest count": "guests",
        "number of guests": "guests",
        "number of participants": "participants",
        "number of": "count",
        "version": "version",
        "rate": "rate",
        "day rate": "rate",
        "interest rate": "rate",
        "target": "target",
        "capacity": "capacity",
        "revenue": "revenue",
        "margin": "margin",
        "total": "total",
        "invoice": "total",
        "offer": "offer",
        "quote": "offer",
        "kickoff": "date",
        "kick-off": "date",
        "meeting": "date",
        "review": "date",
        "release": "date",
        "wedding": "date",
        "offsite": "date",
        "workshop": "date",
        "go-live": "date",
        "mobile": "phone",
        "cell": "phone",
        "mobile number": "phone",
        "cell number": "phone",
        "email": "email",
        "email address": "email",
        "e-mail": "email",
        "size": "size",
        "weight": "weight",
        "area": "area",
        "duration": "duration",
        "closing": "date",
        "demo": "date",
        "delivery date": "delivery",
        "delivery": "delivery",
        "conference": "date",
        "party": "date",
    },
    of=phrases("for|of|in"),
    lead_ins=phrases(
        "correction|update|small correction|quick correction|typo|sorry, typo|my mistake|sorry, my mistake|oops|"
        "sorry, correction|erratum|reminder|note|"
        "for the record|by the way|as discussed|as agreed|to recap|just to confirm|in short|fyi|"
        "for your information|as you know|to be clear|again|quick update|heads up"
    ),
    handed=phrases(
        """
        as promised | as requested | here you go | here you are | as agreed
        """
    ),
    herewith=phrases(
        """
        attached | enclosed | herewith | as an attachment | in the attachment | as attachment
        """
    ),
)
